/** The brief as Markdown, for a ticket, a mail or the next person's context. */
import type { Brief, Change } from "../api/types";

type Remark = Brief["decisions"][number];

/** What a change is called in words. */
export function changeWords(change: Change): string {
  switch (change.act) {
    case "retract":
      return `${change.target} is taken back`;
    case "falsify":
      return `${change.target} is false`;
    case "withdraw":
      return `all that came from ${change.source} is withdrawn`;
    case "supersede":
      return `${change.newer} replaces ${change.older}`;
  }
}

/** One line of Markdown: what people said may hold signs that mean something in it. */
export function plainLine(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<>#|]/g, (sign) => `\\${sign}`);
}

export function briefMarkdown(brief: Brief, title: string): string {
  const fallen = brief.delta.lost.map(
    ({ id, path }) => `- ${id}${path.length > 1 ? ` (by way of ${path.join(" → ")})` : ""}`,
  );
  const parts: [string, string[]][] = [
    ["No longer holds", fallen],
    ["Comes back", [...brief.delta.reinstated, ...brief.delta.reopened].map((id) => `- ${id}`)],
    ["Decisions to look at again", brief.decisions.map(line)],
    [
      "When all agreed to look again",
      brief.conditions.map(
        (each) => `- ${each.literal}, for ${each.decision}: ${each.has_come_about ? "has come about" : "not yet"}`,
      ),
    ],
    ["Concerns that are live now", brief.concerns.map(line)],
    ["Alternatives to compare", brief.alternatives.map(line)],
    [
      "Not to reopen",
      brief.not_to_reopen.map(
        ({ position, because }) =>
          `${line(position)} because ${because.map(told).join("; ") || "of its recorded reason"}`,
      ),
    ],
    ["Who dissented", brief.dissent.map(line)],
  ];
  const told_ = parts
    .filter(([, lines]) => lines.length > 0)
    .map(([name, lines]) => `## ${name}\n\n${lines.join("\n")}`);
  const head = `# ${plainLine(title)}: ${plainLine(changeWords(brief.change))}`;
  return [head, ...(told_.length > 0 ? told_ : ["Nothing else turns on it."])].join("\n\n") + "\n";
}

function line(remark: Remark): string {
  return `- ${told(remark)}`;
}

function told({ id, text, speaker, turn }: Remark): string {
  const from = [speaker, turn].filter(Boolean).join(", ");
  return `${id}: ${plainLine(text)}${from ? ` (${from})` : ""}`;
}
