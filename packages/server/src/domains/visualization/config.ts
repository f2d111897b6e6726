import type { Fault } from '../../engine/problem.ts'

/** Style parameters as operations accept them: text. */
export interface DrawingWords {
  readonly expression?: string | null
  readonly bands?: string | null
  readonly rescale?: string | null
  readonly colormap?: string | null
}

/** The maximum length of a config as JSON. */
const limit_characters = 100_000

const isWord = (value: unknown): boolean => typeof value === 'number' || typeof value === 'string'
const isPair = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((end) => typeof end === 'number')

/**
 * Converts the structured forms of each parameter to text: bands as a list, rescale as a pair or a list of pairs, a
 * colormap as an object or list. Null for other values.
 */
const readings: Readonly<Record<keyof DrawingWords, (value: unknown) => string | null>> = {
  expression: () => null,
  bands: (value) => (Array.isArray(value) && value.every(isWord) ? value.join(',') : null),
  rescale: (value) => {
    if (isPair(value)) return (value as number[]).join(',')
    return Array.isArray(value) && value.length > 0 && value.every(isPair)
      ? (value as number[][]).map((pair) => pair.join(',')).join(';')
      : null
  },
  colormap: (value) => (typeof value === 'object' ? JSON.stringify(value) : null),
}

/**
 * Parses the style parameters in the config of a profile. Other members are kept and ignored. Invalid values are returned
 * as errors.
 */
export function readConfig(config: Readonly<Record<string, unknown>>): { words: DrawingWords; faults: Fault[] } {
  const faults: Fault[] = []
  const words: Record<string, string> = {}
  if (JSON.stringify(config).length > limit_characters) {
    return { words, faults: [{ path: 'config', message: `has more than ${limit_characters} characters` }] }
  }
  for (const [name, read] of Object.entries(readings)) {
    const value = Object.hasOwn(config, name) ? config[name] : null
    if (value === null || value === undefined) continue
    const word = typeof value === 'string' ? value : read(value)
    if (word === null) faults.push({ path: `config.${name}`, message: 'is not a valid style parameter' })
    else words[name] = word
  }
  return { words, faults }
}
