import {
  AuthorizationResponseError,
  INVALID_RESPONSE,
  JSON_ATTRIBUTE_COMPARISON,
  JWT_CLAIM_COMPARISON,
  JWT_TIMESTAMP_CHECK,
  OperationProcessingError,
  ResponseBodyError,
} from 'oauth4webapi'

/** The issuer answers `prompt=none` with an error instead of a code if nobody is signed in. */
export class SignedOut extends Error {}

/**
 * Why signing in cannot work: `insecure` (HTTP from another machine, where browsers have no cryptography), `storage` (the
 * browser blocks storage and cookies of this site), `clock` (of this device), `host` (the server has another name).
 */
export type SessionErrorReason = 'insecure' | 'storage' | 'clock' | 'host'

export class SessionError extends Error {
  readonly reason: SessionErrorReason
  /** The origin to open instead; for `host`. */
  readonly origin: string | null
  /** Lead of the clock of this device, for `clock`. */
  readonly clock_ahead_ms: number | null

  constructor(reason: SessionErrorReason, details: { origin?: string; clock_ahead_ms?: number | null } = {}) {
    super(reason)
    this.reason = reason
    this.origin = details.origin ?? null
    this.clock_ahead_ms = details.clock_ahead_ms ?? null
  }
}

/** Codes of a response that does not match its request. */
const mismatch_codes: readonly (string | undefined)[] = [INVALID_RESPONSE, JWT_CLAIM_COMPARISON]

/** True if the issuer, or the check of its answer, refused the code: another one may be accepted. */
export const isRefusedCallback = (error: unknown): boolean =>
  error instanceof AuthorizationResponseError ||
  error instanceof ResponseBodyError ||
  (error instanceof OperationProcessingError && mismatch_codes.includes(error.code))

/** The error of the OAuth library as the reason that a person can do something about; others stay as they are. */
export async function toSessionError(error: unknown): Promise<unknown> {
  if (!(error instanceof OperationProcessingError)) return error
  if (error.code === JWT_TIMESTAMP_CHECK) return new SessionError('clock', { clock_ahead_ms: await readClockError() })
  const issuer = readIssuer(error)
  return issuer === null ? error : new SessionError('host', { origin: issuer })
}

/** The origin that the server names as its own, if it differs from the requested one. */
function readIssuer({ code, cause }: OperationProcessingError): string | null {
  if (code !== JSON_ATTRIBUTE_COMPARISON) return null
  const { body } = (cause ?? {}) as { readonly body?: { readonly issuer?: unknown } }
  const issuer = String(body?.issuer)
  if (!URL.canParse(issuer)) return null
  const { origin } = new URL(issuer)
  return origin === location.origin ? null : origin
}

/** Compares the clock of this device with that of the server; null if the server does not say its time. */
async function readClockError(): Promise<number | null> {
  try {
    const { headers } = await fetch('/favicon.svg', { cache: 'no-store' })
    const server_ms = Date.parse(headers.get('date') ?? '')
    return Number.isFinite(server_ms) ? Date.now() - server_ms : null
  } catch {
    return null
  }
}
