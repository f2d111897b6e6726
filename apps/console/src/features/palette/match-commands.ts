/** Something that the palette can do. */
export interface PaletteCommand {
  /** Unique in the palette. */
  readonly id: string
  readonly group: CommandGroup
  readonly label: string
  /** Quietly beside the label. */
  readonly detail?: string
  /** A search has found it for the text: its label need not have the words. */
  readonly isFound?: boolean
  readonly run: () => void
}

/** In the order in which they are shown. */
export const commandGroups = ['go', 'orders', 'items', 'projects', 'map', 'run'] as const
export type CommandGroup = (typeof commandGroups)[number]

const no_match = -1

/**
 * Rank of a label for the typed words, all of which it has to contain: the fewer its words begin in the middle of
 * one of the label's, and the earlier they stand, the better.
 *
 * @returns the lower the better; -1 if a word is missing
 */
export function scoreLabel(label: string, words: readonly string[]): number {
  const text = label.toLowerCase()
  let score = 0
  for (const word of words) {
    const at = text.indexOf(word)
    if (at === -1) return no_match
    const begins = at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)
    score += (begins ? 0 : 100) + Math.min(at, 50)
  }
  return score
}

/** The commands that have all words of the text, the best of each group first, and at most so many of each. */
export function matchCommands(
  commands: readonly PaletteCommand[],
  text: string,
  max_per_group: number,
): readonly PaletteCommand[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const scored = commands
    .map((command) => ({
      command,
      score: command.isFound ? 0 : scoreLabel(`${command.label} ${command.detail ?? ''}`, words),
    }))
    .filter(({ score }) => score !== no_match)
    .toSorted((left, right) => left.score - right.score)
  return commandGroups.flatMap((group) =>
    scored
      .filter(({ command }) => command.group === group)
      .slice(0, max_per_group)
      .map(({ command }) => command),
  )
}
