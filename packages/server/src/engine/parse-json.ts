import { Problem, validationProblem } from './problem.ts'

const deepest = 64

/** What one object and one array may hold: beyond what any operation means, and still cheap to check and to refuse. */
const mostMembers = 10_000
const mostItems = 100_000

/**
 * JSON out of a text. Throws `malformed` for what is none, is nested absurdly deep or names `__proto__`, `too-large`
 * for an object or an array with too many entries, and `validation` for texts that nothing can keep, named by their
 * path below `at`.
 */
export function parseJson(text: string, at = ''): unknown {
  checkShape(text)
  // A member of this name would be read as the prototype by careless code further in.
  if (text.includes('"__proto__"')) throw new Problem('malformed', 'The JSON has a member named "__proto__".')
  const value = parse(text)
  // Neither can be kept by the database, no field of ours means one, and only an escape can bring them.
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

/** Throws `validation` for a text, or the name of a member, with a NUL or half a surrogate pair. */
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
 * Counts brackets and commas outside of strings, before the parser recurses over them and builds what they hold. Throws
 * `malformed` or `too-large`.
 */
function checkShape(text: string): void {
  // Each level and each entry takes a character: a short text cannot have too many.
  if (text.length <= deepest) return
  /** For each open bracket: how many entries may still follow. */
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
