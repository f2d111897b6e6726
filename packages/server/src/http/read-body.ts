import type { Readable } from 'node:stream'
import { Problem, validationProblem } from '../engine/problem.ts'

const deepest = 64
const decoder = new TextDecoder('utf-8', { fatal: true })

/** The bytes of a body; throws `too-large` beyond the limit, without reading further. */
export function readBytes(stream: Readable, limit_bytes: number, announced: number | null): Promise<Buffer> {
  const refusal = (): Problem => new Problem('too-large', `A body may have at most ${limit_bytes} bytes.`)
  if (announced !== null && announced > limit_bytes) return Promise.reject(refusal())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit_bytes) {
        stream.pause()
        reject(refusal())
      } else chunks.push(chunk)
    })
    stream.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    stream.on('error', reject)
    stream.on('close', () => {
      if (!stream.readableEnded) reject(new Problem('malformed', 'The body ended before it was complete.'))
    })
  })
}

/** JSON out of a body: undefined for an empty one; `malformed` for anything that is not JSON, or is nested absurdly deep. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  if (nestsTooDeep(text)) throw new Problem('malformed', `The body is nested deeper than ${deepest} levels.`)
  // A member of this name would be read as the prototype by careless code further in.
  if (text.includes('"__proto__"')) throw new Problem('malformed', 'The body has a member named "__proto__".')
  const value = parse(text)
  // Neither can be kept by the database, no field of ours means one, and only an escape can bring them.
  if (/\\u(0000|d[89a-f])/i.test(text)) refuseUnstorable(value, '')
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Problem('malformed', 'The body is not valid JSON.')
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

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Problem('malformed', 'The body is not valid UTF-8.')
  }
}

/** Counts brackets outside of strings, before the parser recurses over them. */
function nestsTooDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quoted) {
      if (code === 92) at++
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if (code === 123 || code === 91) {
      if (++depth > deepest) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}
