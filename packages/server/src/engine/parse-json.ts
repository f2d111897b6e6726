import { Problem, validationProblem } from './problem.ts'

const deepest = 64

/** Maximum members of one object and items of one array: more than any operation needs, and still cheap to validate. */
const mostMembers = 10_000
const mostItems = 100_000

/**
 * Parses JSON. Throws `malformed` if it is not valid, is nested too deep or has a member `__proto__`; `too-large` if an
 * object or array has too many entries; and `validation` for strings that PostgreSQL cannot store, with their path below
 * `at`.
 */
export function parseJson(text: string, at = ''): unknown {
  checkShape(text)
  // Careless code would take a member of this name for the prototype.
  if (text.includes('"__proto__"')) throw new Problem('malformed', 'The JSON has a member named "__proto__".')
  const value = parse(text)
  // NUL and lone surrogates cannot be stored in PostgreSQL, and can only occur as escapes here.
  if (/\\u(0000|d[89a-f])/i.test(text)) refuseUnstorable(value, at)
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
function refuseUnstorable(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) throw validationProblem([{ path, message: 'has a NUL character' }])
    if (!value.isWellFormed()) throw validationProblem([{ path, message: 'has half a surrogate pair' }])
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      refuseUnstorable(name, path)
      refuseUnstorable(member, path ? `${path}.${name}` : name)
    }
  }
}

/**
 * Counts brackets and commas outside of strings before the parser recurses and allocates. Throws `malformed` or
 * `too-large`.
 */
function checkShape(text: string): void {
  // Each level and each entry takes at least one character, so a short text cannot exceed the limits.
  if (text.length <= deepest) return
  /** How many more entries each open bracket may have, by depth. */
  const left = new Int32Array(deepest + 1).fill(mostItems)
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quoted) {
      if (code === 92) at++
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if (code === 44) {
      if (--left[depth]! <= 0) throw tooMany()
    } else if (code === 123 || code === 91) {
      if (++depth > deepest) throw new Problem('malformed', `The JSON is nested deeper than ${deepest} levels.`)
      left[depth] = code === 123 ? mostMembers : mostItems
    } else if (code === 125 || code === 93) depth = Math.max(0, depth - 1)
  }
}

const tooMany = (): Problem =>
  new Problem('too-large', `An object may have at most ${mostMembers} members, an array at most ${mostItems} items.`)
