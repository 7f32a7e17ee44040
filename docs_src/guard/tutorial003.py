from upheld import Guard
from upheld.conversation.guard.policy import Action, GuardPolicy
from upheld.logic.language.verdicts import Reason

in_words = GuardPolicy.from_text("retry once, then ask a person. block unknown. when unsure, warn. within 2 seconds")
in_code = GuardPolicy(
    actions={Reason.UNKNOWN: Action.BLOCK}, slight={Reason.ABANDONED: Action.WARN}, attempts=1, exhausted=Action.QUEUE
)

guard = Guard.open("ephemeral:", policy=in_words)
guard.said("user", "The delivery goes to 12 Elm Street.")
guard.said("user", "No wait, the delivery goes to 14 Oak Street.")
for _ in range(2):
    print(guard.check_now("The delivery goes to 12 Elm Street.").action)
(waiting,) = guard.pending
print(waiting.id, waiting.reply)
print(guard.reject(waiting.id, "the customer has moved").decision)
