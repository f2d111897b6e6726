import { Problem, validationProblem } from '../problem.ts'

const max_depth = 64

/** Maximum members of one object and items of one array: more than any operation needs, and still cheap to validate. */
const max_members = 10_000
const max_items = 100_000

/**
 * Parses JSON. Throws `malformed` if it is not valid, is nested too deep or has a member `__proto__`; `too-large` if an
 * object or array has too many entries; and `validation` for strings that PostgreSQL cannot store, with their path below
 * `at`.
 */
export function parseJson(text: string, at = ''): unknown {
  checkLimits(text)
  // Careless code would take a member of this name for the prototype.
  if (text.includes('"__proto__"')) throw new Problem('malformed', 'The JSON has a member named "__proto__".')
  const value = parse(text)
  // NUL and lone surrogates cannot be stored in PostgreSQL, and can only occur as escapes here.
  if (/\\u(0000|d[89a-f])/i.test(text)) requireStorable(value, at)
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Problem('malformed', 'The JSON is not valid.')
  }
}

/** Throws `validation` for a string or member name with a NUL character or a lone surrogate. */
function requireStorable(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) throw validationProblem([{ path, message: 'has a NUL character' }])
    if (!value.isWellFormed()) throw validationProblem([{ path, message: 'has half a surrogate pair' }])
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      requireStorable(name, path)
      requireStorable(member, path ? `${path}.${name}` : name)
    }
  }
}

/**
 * Counts brackets and commas outside of strings before the parser recurses and allocates. Throws `malformed` or
 * `too-large`.
 */
function checkLimits(text: string): void {
  // Each level and each entry takes at least one character, so a short text cannot exceed the limits.
  if (text.length <= max_depth) return
  /** How many more entries each open bracket may have, by depth. */
  const remaining = new Int32Array(max_depth + 1).fill(max_items)
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isQuoted) {
      if (code === 92) at++
      else if (code === 34) isQuoted = false
    } else if (code === 34) isQuoted = true
    else if (code === 44) {
      if (--remaining[depth]! <= 0) throw tooManyEntries()
    } else if (code === 123 || code === 91) {
      if (++depth > max_depth) throw new Problem('malformed', `The JSON is nested deeper than ${max_depth} levels.`)
      remaining[depth] = code === 123 ? max_members : max_items
    } else if (code === 125 || code === 93) depth = Math.max(0, depth - 1)
  }
}

const tooManyEntries = (): Problem =>
  new Problem('too-large', `An object may have at most ${max_members} members, an array at most ${max_items} items.`)
