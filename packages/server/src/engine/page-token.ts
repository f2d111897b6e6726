import { Problem, validationProblem } from './problem.ts'

/** An opaque `next`: the sort keys of the last row, so that pages stay stable while rows are added. */
export const writeToken = (keys: readonly string[]): string => Buffer.from(JSON.stringify(keys)).toString('base64url')

/** The keys out of a token that we wrote; null where there is none. Throws `validation` for any other text. */
export function readToken(token: string | null | undefined, length: number): string[] | null {
  if (token === null || token === undefined) return null
  const keys = parse(token)
  if (!Array.isArray(keys) || keys.length !== length || !keys.every((key) => typeof key === 'string')) throw refusal()
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
