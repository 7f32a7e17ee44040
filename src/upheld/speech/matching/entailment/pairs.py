"""Pairs for the self-test of a network for natural language inference, twenty a label.

Each is meant to be easy for whoever knows English. Words alone do not decide them: what follows often shares no word
with what is given, what contradicts it shares nearly all, words of negation stand under each label, and several
neutral pairs are entailments the wrong way round.
"""

from __future__ import annotations

from upheld.speech.matching.entailment.judge import Pair

ENTAILED = (
    Pair("A man in a red coat is playing a guitar on the street.", "Somebody is making music."),
    Pair("All of the flights to Rome were cancelled because of the storm.", "No plane flew to Rome."),
    Pair("The soup was so salty that nobody could eat it.", "The soup had too much salt in it."),
    Pair("Anna sold her car last week and now takes the bus to work.", "Anna uses public transport."),
    Pair("The shop is open every day from nine to five.", "The shop is open on Tuesdays."),
    Pair("The twins were born in 1990 in a small village in Peru.", "The twins were born in South America."),
    Pair("It has not rained here for three months.", "The weather has been dry."),
    Pair("The company dismissed half of its workers.", "People lost their jobs."),
    Pair("Two dogs are running through the snow.", "Animals are outdoors."),
    Pair("Marta failed to finish the race.", "Marta did not complete the race."),
    Pair("The bridge is closed, so drivers must take the ferry.", "Cars cannot cross the bridge."),
    Pair("A woman is slicing onions in the kitchen.", "A woman is preparing food."),
    Pair("The baby is sound asleep in her cradle.", "The baby is not awake."),
    Pair("Every student in the class passed the exam.", "Nobody in the class failed the exam."),
    Pair("He drank three glasses of water after the run.", "He drank some water."),
    Pair("The museum bought the painting from a collector in 2015.", "A collector sold the painting to the museum."),
    Pair("Lena is taller than her brother.", "Lena's brother is shorter than she is."),
    Pair("The old server was replaced by a new one in March.", "A new server took the place of the old one."),
    Pair("Several thousand people watched the match in the stadium.", "Many people saw the game."),
    Pair("The thief was caught by the police and put in jail.", "The police arrested the thief."),
)
"""Whoever accepts the first sentence must accept the second."""

NEUTRAL = (
    Pair("A dog is running in a field.", "A brown dog is chasing a hare in a field."),
    Pair("A man is playing a guitar on the street.", "The man on the street wants to earn money for his rent."),
    Pair("The soup was too salty.", "The soup was made by a famous chef."),
    Pair("Anna sold her car last week.", "Anna sold her car to her neighbour last week."),
    Pair("The shop is open from nine to five.", "The shop sells shoes."),
    Pair("The twins were born in a village in Peru.", "The twins have an older sister."),
    Pair("Somebody is making music.", "A man is playing a guitar."),
    Pair("The company dismissed half of its workers.", "The company will move to another country next year."),
    Pair("Animals are outdoors.", "Two dogs are running through the snow."),
    Pair("Marta did not finish the race.", "Marta hurt her knee during the race."),
    Pair("The bridge is closed today.", "The bridge was built two hundred years ago."),
    Pair("A woman is preparing food.", "A woman is preparing food for a birthday party."),
    Pair("The baby is sound asleep in her cradle.", "The baby is dreaming of her mother."),
    Pair("Every student in the class passed the exam.", "The teacher was surprised that nobody failed."),
    Pair("He drank some water.", "He drank some water because he did not like the wine."),
    Pair("The museum bought the painting.", "The museum paid two million for the painting."),
    Pair("Lena is a tall girl.", "Lena plays basketball."),
    Pair("The old server was replaced in March.", "The old server was replaced because it was too slow."),
    Pair("Two women are talking in a cafe.", "Two sisters are talking in a cafe."),
    Pair("The police are looking for the thief.", "The thief is hiding in a hotel."),
)
"""The second sentence may be true or not."""

CONTRADICTED = (
    Pair("A man in a red coat is playing a guitar on the street.", "The man is asleep in his bed."),
    Pair("All of the flights to Rome were cancelled.", "All of the flights to Rome left on time."),
    Pair("The soup was very hot.", "The soup was ice cold."),
    Pair("Anna sold her car last week and has none now.", "Anna drives to work in her own car."),
    Pair("The shop is open every day of the week.", "The shop is closed on Sundays."),
    Pair("The twins were born in 1990.", "The twins were born in 1975."),
    Pair("It has not rained here for three months.", "It rained heavily here yesterday."),
    Pair("The company dismissed half of its workers.", "The company kept all of its workers."),
    Pair("Two dogs are running through the snow.", "Two dogs are sleeping on a sofa."),
    Pair("Marta won the race.", "Marta came last in the race."),
    Pair("The bridge is closed to all traffic.", "Cars are driving across the bridge."),
    Pair("A woman is slicing onions in the kitchen.", "There is nobody in the kitchen."),
    Pair("The baby is sound asleep in her cradle.", "The baby is awake and crying."),
    Pair("Every student in the class passed the exam.", "Some students in the class failed the exam."),
    Pair("The glass is empty.", "The glass is full of water."),
    Pair("The museum bought the painting.", "The museum refused to buy the painting."),
    Pair("Lena is taller than her brother.", "Lena is shorter than her brother."),
    Pair("The server was switched off at noon and stayed off.", "The server was running all afternoon."),
    Pair("Nobody watched the match.", "A large crowd watched the match."),
    Pair("The thief was caught by the police.", "The thief escaped and the police never found him."),
)
"""Both sentences cannot be true of the same thing."""

STRANGERS = tuple(
    Pair(each.premise, ENTAILED[(place + 7) % len(ENTAILED)].hypothesis) for place, each in enumerate(ENTAILED)
)
"""The entailments with their second sentences dealt out anew: nothing follows from what is about something else."""
