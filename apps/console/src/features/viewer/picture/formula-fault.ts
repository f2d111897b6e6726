/** The part of a formula that a message is about: from `start` up to `end`. */
export interface FormulaFault {
  readonly start: number
  readonly end: number
}

const wordAt = /\w+|[*<>=!]{2}|\S/y

/** Finds where a formula is wrong: the position in the sentence of the platform, or the name that it quotes. */
export function locateFault(formula: string, sentence: string): FormulaFault | null {
  const position = /position (\d+)/.exec(sentence)?.[1]
  if (position !== undefined) {
    const start = Math.min(Number(position) - 1, formula.length)
    wordAt.lastIndex = start
    return { start, end: start + (wordAt.exec(formula)?.[0].length ?? 0) }
  }
  const name = /["“]([A-Za-z_]\w*)["”]/.exec(sentence)?.[1]
  const found = name === undefined ? null : new RegExp(`\\b${name}\\b`).exec(formula)
  return found ? { start: found.index, end: found.index + found[0].length } : null
}

/** Names of bands in a formula, without functions. */
export const formulaNames = (formula: string): string[] => [
  ...new Set([...formula.matchAll(/[A-Za-z_]\w*(?!\w|\s*\()/g)].map(([name]) => name)),
]
