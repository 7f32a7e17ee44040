from upheld import Conversation

talk = Conversation(agents={"eva": "historian", "tom": "archivist"})
talk.observe("tom", "o1", "The parish register was kept by one hand.")
talk.observe("eva", "c1", "The mill dates from 1752.", depends_on=["o1"])
talk.observe("eva", "c2", "The millstone dates from 1752.", depends_on=["c1"])
talk.support("tom", "c1", evidence=["c2"], sufficient=True)
talk.observe("eva", "c3", "The miller's house is younger.", depends_on=["c2"])

print("now:", talk.status("c1").standing, talk.status("c2").standing)
print("without o1:", talk.count_affected("o1"))
for item in talk.iter_affected("o1"):
    print(item.effect, *item.path)
