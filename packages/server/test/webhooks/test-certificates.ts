import { randomBytes } from 'node:crypto'
import forge from 'node-forge'
import { day_ms } from '@swath/geo/time-units.ts'

/** A certificate and its private key, in PEM. */
export interface TestCertificate {
  readonly cert: string
  readonly key: string
}

export interface CertificateOptions {
  /** The DNS name that the certificate is valid for. */
  readonly host: string
  readonly not_after?: Date
}

export interface TestAuthority {
  /** The root certificate, in PEM. */
  readonly root: string
  issue(options: CertificateOptions): TestCertificate
}

type Keys = forge.pki.rsa.KeyPair
const privateKeyOf = ({ privateKey }: Keys): string => forge.pki.privateKeyToPem(privateKey)

const tomorrow = (): Date => new Date(Date.now() + day_ms)

/** A certificate authority that is trusted only if configured. */
export function createTestAuthority(): TestAuthority {
  const keys = forge.pki.rsa.generateKeyPair(2048)
  const name = `Test authority ${randomBytes(4).toString('hex')}`
  const root = signCertificate(keys, { subject: name, issuer: name, not_after: tomorrow() }, [
    { name: 'basicConstraints', cA: true },
  ])
  return {
    root,
    issue: ({ host, not_after = tomorrow() }) => ({
      cert: signCertificate(keys, { subject: host, issuer: name, not_after }, [hostExtension(host)]),
      key: privateKeyOf(keys),
    }),
  }
}

/** A certificate that signs itself. */
export function createSelfSigned(host: string): TestCertificate {
  const keys = forge.pki.rsa.generateKeyPair(2048)
  const names = { subject: host, issuer: host, not_after: tomorrow() }
  return { cert: signCertificate(keys, names, [hostExtension(host)]), key: privateKeyOf(keys) }
}

const dns_name = 2
const hostExtension = (host: string) => ({ name: 'subjectAltName', altNames: [{ type: dns_name, value: host }] })

/** Returns PEM. */
function signCertificate(
  keys: Keys,
  names: { readonly subject: string; readonly issuer: string; readonly not_after: Date },
  extensions: object[],
): string {
  const certificate = forge.pki.createCertificate()
  certificate.serialNumber = `01${randomBytes(8).toString('hex')}`
  certificate.publicKey = keys.publicKey
  certificate.validity.notBefore = new Date(names.not_after.getTime() - 30 * day_ms)
  certificate.validity.notAfter = names.not_after
  certificate.setSubject([{ name: 'commonName', value: names.subject }])
  certificate.setIssuer([{ name: 'commonName', value: names.issuer }])
  certificate.setExtensions(extensions)
  certificate.sign(keys.privateKey, forge.md.sha256.create())
  return forge.pki.certificateToPem(certificate)
}
