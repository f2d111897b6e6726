import type { PGlite } from '@electric-sql/pglite'

/** The parts of the compiled server that the guard needs; private to PGlite, hence the pinned version and the self-test. */
interface Internals {
  _PostgresMainLoopOnce: () => void
  _pgl_setPGliteExitStatus: (status: number) => number
  stringToUTF8OnStack: (text: string) => number
  ___stack_pointer?: { value: number }
  _errstart: (level: number, domain: number) => number
  _errcode: (code: number) => number
  _errmsg_internal: (format: number, values: number) => number
  _errfinish: (file: number, line: number, routine: number) => void
}

const errorLevel = 21
/** ERRCODE_INVALID_PARAMETER_VALUE (22023), packed in sixes as PostgreSQL's MAKE_SQLSTATE does. */
const invalidParameter = [...'22023'].reduce(
  (code, character, at) => code + ((character.charCodeAt(0) - 48) << (6 * at)),
  0,
)
/** A trap of the compiled code (WebAssembly.RuntimeError), or its stack at an end. */
const fatalErrors: readonly string[] = ['RuntimeError', 'RangeError']
/** What the server's main loop expects to find after a jump out of a refused statement. */
const longJump = 100

/**
 * Makes an ordinary error (22023) of a C++ exception out of the geometry library. Such an exception arrives in JavaScript as a thrown
 * number, and PGlite would swallow it: no rows, no error, and some stack lost for good. Anything else that is thrown and is not a
 * refused statement means that the compiled code is broken; `fatal()` says so.
 */
export function guardGeometry(engine: PGlite): { fatal: () => string | null } {
  const server = engine.Module as unknown as Internals
  const once = server._PostgresMainLoopOnce
  let broken: string | null = null

  const raise = (top: number | undefined): never => {
    const stack = server.___stack_pointer
    if (stack && top !== undefined) stack.value = top
    const message = server.stringToUTF8OnStack('the geometry is not valid for this operation')
    const place = server.stringToUTF8OnStack('geometry guard')
    let jump: unknown
    try {
      server._errstart(errorLevel, 0)
      server._errcode(invalidParameter)
      server._errmsg_internal(message, 0)
      server._errfinish(place, 1, place)
    } catch (thrown) {
      jump = thrown
    }
    server._pgl_setPGliteExitStatus(longJump)
    throw jump
  }

  server._PostgresMainLoopOnce = () => {
    const top = server.___stack_pointer?.value
    try {
      once()
    } catch (thrown) {
      if (typeof thrown === 'number') raise(top)
      if (thrown instanceof Error && fatalErrors.includes(thrown.name)) broken = thrown.message
      throw thrown
    }
  }
  return { fatal: () => broken }
}
