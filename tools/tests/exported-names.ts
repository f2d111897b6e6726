import { readSource } from '../tidy/source-text.ts'

/** A name that a file exports, as a reader who does not know the code meets it. */
export interface ExportedName {
  readonly name: string
  readonly kind: 'type' | 'class' | 'function' | 'constant'
  readonly file: string
  /** The text of its doc comment on one line; null without one. */
  readonly docstring: string | null
}

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(interface|type|class|enum|function\*?|const|let) (\w+)/gm

const kinds: Readonly<Record<string, ExportedName['kind']>> = {
  interface: 'type',
  type: 'type',
  class: 'class',
  enum: 'constant',
  function: 'function',
  'function*': 'function',
  const: 'constant',
  let: 'constant',
}

/** True for the text after the name of a constant whose value is an arrow function, after an optional type. */
function isArrowFunction(code: string): boolean {
  const value = /^[^=]*=\s*(?:async\s+)?([(<\w][\s\S]*)/.exec(code.split('\n\n')[0]!)?.[1]
  if (value === undefined) return false
  if (!/^[(<]/.test(value)) return /^\w+\s*=>/.test(value)
  let depth = 0
  const end = [...value].findIndex((letter) => {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    return letter === ')' && depth === 0
  })
  return /^\)(?::[^=;]*)?\s*=>/.test(value.slice(end))
}

/** The names that a file declares and exports, in their order. */
export function listExportedNames(file: string, text: string): ExportedName[] {
  const { code } = readSource(text)
  return [...code.matchAll(declaration)].map((match) => {
    const kind = kinds[match[1]!]!
    const isFunction = match[1] === 'const' && isArrowFunction(code.slice(match.index + match[0].length))
    return {
      name: match[2]!,
      kind: isFunction ? 'function' : kind,
      file,
      docstring: findDocstring(text.slice(0, match.index)),
    }
  })
}

/** The doc comment that ends where the declaration begins. */
function findDocstring(before: string): string | null {
  if (!before.endsWith('*/\n')) return null
  const comment = before.slice(before.lastIndexOf('/*'))
  if (!comment.startsWith('/**')) return null
  return comment
    .slice(3, -3)
    .split('\n')
    .map((line) => line.replace(/^\s*\*\s?/, '').trim())
    .join(' ')
    .trim()
}

/** A generator of 32-bit numbers (mulberry32): the same seed draws the same names. */
function createGenerator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Draws `count` different names; the order of `names` does not matter. A name that several files export counts once. */
export function drawNames(names: readonly ExportedName[], count: number, seed: number): ExportedName[] {
  const byName = new Map(
    names.toSorted((left, right) => (left.file < right.file ? -1 : 1)).map((one) => [one.name, one]),
  )
  const rest = [...byName.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1))
  const next = createGenerator(seed)
  const drawn: ExportedName[] = []
  while (drawn.length < count && rest.length > 0) drawn.push(...rest.splice(Math.floor(next() * rest.length), 1))
  return drawn
}
