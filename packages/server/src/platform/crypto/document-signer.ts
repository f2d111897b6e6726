import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'

/** The public half of a key for signatures, as JWK (RFC 8037). */
export interface DocumentSignaturePublicKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  /** The thumbprint of the key (RFC 7638). */
  readonly kid: string
  readonly alg: 'EdDSA'
  readonly use: 'sig'
}

/** The keys in their order, each of them once. */
export const listDistinctPublicKeys = (keys: readonly DocumentSignaturePublicKey[]): DocumentSignaturePublicKey[] => [
  ...new Map(keys.map((key) => [key.kid, key])).values(),
]

/** Signs documents that others verify offline, years later. */
export interface DocumentSigner {
  /** The document and its signature as compact JWS (RFC 7515). */
  sign(document: object): string
  readonly publicKey: DocumentSignaturePublicKey
}

/** The DER encoding of a private Ed25519 key (RFC 8410) before its 32 bytes. */
const private_key_prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * A signer with an Ed25519 key that is derived from the master secret, so that every process signs with the same key and none is
 * stored. It lasts as long as the secret does, unlike keys of tokens, which live for a month.
 *
 * @param seed 32 bytes of `deriveKey`.
 * @param type of the documents, the header `typ`.
 */
export function createDocumentSigner(seed: Uint8Array, type: string): DocumentSigner {
  const privateKey = createPrivateKey({
    key: Buffer.concat([private_key_prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' }) as { x: string }
  // The members of a thumbprint are in the order of their names.
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
  const kid = thumbprint.digest('base64url')
  const header = toPart({ alg: 'EdDSA', kid, typ: type })
  return {
    sign: (document) => {
      const signed = `${header}.${toPart(document)}`
      return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
    },
    publicKey: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' },
  }
}

const toPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
