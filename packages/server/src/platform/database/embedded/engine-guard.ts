import type { PGlite } from '@electric-sql/pglite'

/**
 * The internals of the compiled server that the guard needs; private to PGlite, hence the pinned version and the
 * self-test.
 */
interface Internals {
  _PostgresMainLoopOnce: () => void
  _pgl_setPGliteExitStatus: (status: number) => number
  stringToUTF8OnStack: (text: string) => number
  ___stack_pointer: { value: number }
  _errstart: (level: number, domain: number) => number
  _errcode: (code: number) => number
  _errmsg_internal: (format: number, values: number) => number
  _errfinish: (file: number, line: number, routine: number) => void
}

const error_level = 21
/** ERRCODE_INVALID_PARAMETER_VALUE (22023), packed at six bits per character, as PostgreSQL's MAKE_SQLSTATE does. */
const invalid_parameter_code = [...'22023'].reduce(
  (code, character, at) => code + ((character.charCodeAt(0) - 48) << (6 * at)),
  0,
)
/** A trap of the compiled code (WebAssembly.RuntimeError), or an exhausted stack. */
const fatalErrors: readonly string[] = ['RuntimeError', 'RangeError']
/** The status that the main loop of the server expects after a longjmp out of a failed statement. */
const long_jump_status = 100

/**
 * Fixes two defects around the server's main loop. An ordinary SQL error leaves the loop by a throw that does not restore
 * its stack pointer: after some two thousand failed statements the stack would be exhausted. And a C++ exception of the
 * geometry library arrives in JavaScript as a thrown number, which PGlite swallows (no rows, no error); here it becomes an
 * ordinary SQL error (22023). Any other throw means that the compiled code is broken, which `fatal()` reports.
 */
export function installDatabaseEngineGuard(engine: PGlite): { fatal: () => string | null } {
  const server = engine.Module as unknown as Internals
  const runMainLoop = server._PostgresMainLoopOnce
  let fatalError: string | null = null

  /** Nothing below the main loop is live after a throw, but the compiled code left its stack pointer there. */
  const restoreStack = (stackPointer: number): void => {
    server.___stack_pointer.value = stackPointer
  }

  const raiseGeometryError = (stackPointer: number): never => {
    const message = server.stringToUTF8OnStack('the geometry is not valid for this operation')
    const location = server.stringToUTF8OnStack('geometry guard')
    let longJumpThrown: unknown
    try {
      server._errstart(error_level, 0)
      server._errcode(invalid_parameter_code)
      server._errmsg_internal(message, 0)
      server._errfinish(location, 1, location)
    } catch (thrown) {
      longJumpThrown = thrown
    }
    restoreStack(stackPointer)
    server._pgl_setPGliteExitStatus(long_jump_status)
    throw longJumpThrown
  }

  server._PostgresMainLoopOnce = () => {
    const stackPointer = server.___stack_pointer.value
    try {
      runMainLoop()
    } catch (thrown) {
      restoreStack(stackPointer)
      if (typeof thrown === 'number') raiseGeometryError(stackPointer)
      if (thrown instanceof Error && fatalErrors.includes(thrown.name)) fatalError = thrown.message
      throw thrown
    }
  }
  return { fatal: () => fatalError }
}
