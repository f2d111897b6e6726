import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

/** The seconds of a period, which shows one code (RFC 6238; the values that all apps support). */
const period_s = 30

const secret_bytes = 20

/** The name that apps show. */
const issuer = 'Swath'

const createTotp = (secret: string, label: string): TOTP =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: period_s, secret: Secret.fromBase32(secret) })

/** A new secret in base 32. */
export const generateTotpSecret = (): string => new Secret({ size: secret_bytes }).base32

/** What an app reads from the QR code. */
export const buildOtpauthUri = (secret: string, email: string): string => createTotp(secret, email).toString()

/** The QR code of a text as an SVG document. */
export const renderQrCode = (text: string): string => renderSVG(text, { border: 2 })

const codePattern = /^\d{6}$/

/** True for a text that can be a code of an app. */
export const isTotpCode = (code: string): boolean => codePattern.test(code)

/** The period of a code; null for one that is neither of the present period nor of the one before or after it. */
export function findTotpStep(secret: string, code: string, now: Date): number | null {
  if (!isTotpCode(code)) return null
  const timestamp = now.getTime()
  const delta = createTotp(secret, '').validate({ token: code, timestamp, window: 1 })
  return delta === null ? null : Math.floor(timestamp / 1000 / period_s) + delta
}
