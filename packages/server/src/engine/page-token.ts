import { Problem, validationProblem } from './problem.ts'

/** An opaque `next`: the sort keys of the last row, so that pages stay stable while rows are added. */
export const writeToken = (keys: readonly string[]): string => Buffer.from(JSON.stringify(keys)).toString('base64url')

/** What a key of a token must look like. */
export interface KeyShape {
  test(key: string): boolean
}

export const uuidKey: KeyShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const textKey: KeyShape = { test: (key) => /^[^\u0000]{1,500}$/.test(key) && key.isWellFormed() }
/** As we write times, and only those that the calendar has. */
export const timeKey: KeyShape = {
  test: (key) => {
    const time = new Date(key)
    return !Number.isNaN(time.getTime()) && time.toISOString() === key
  },
}

/** The keys out of a token that we wrote, of the shapes given; null where there is none. Throws `validation` for any other text. */
export function readToken(token: string | null | undefined, shapes: readonly KeyShape[]): string[] | null {
  if (token === null || token === undefined) return null
  const keys = parse(token)
  if (!Array.isArray(keys) || keys.length !== shapes.length) throw refusal()
  if (!shapes.every((shape, index) => typeof keys[index] === 'string' && shape.test(keys[index]))) throw refusal()
  return keys as string[]
}

const refusal = (): Problem => validationProblem([{ path: 'next', message: 'is not a token of an earlier answer' }])

function parse(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
  } catch {
    throw refusal()
  }
}
