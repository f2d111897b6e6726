import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** The values that an authenticator encodes in CBOR (RFC 8949). */
type CborValue = number | string | Uint8Array | ReadonlyMap<number | string, CborValue>

const head = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 0xff])

function encodeCbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].flatMap(([key, member]) => [encodeCbor(key), encodeCbor(member)])
  return Buffer.concat([head(5, value.size), ...entries])
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()
const toBase64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id?: string }
  readonly user: { readonly id: string }
}

interface RequestOptions {
  readonly challenge: string
  readonly rpId?: string
}

/** What a test changes to be refused. */
export interface Forgery {
  readonly origin?: string
  readonly rpId?: string
  readonly isUserVerified?: boolean
  readonly counter?: number
  readonly userHandle?: string | null
}

const user_present = 0x01
const user_verified = 0x04
const has_credential = 0x40

/** An authenticator in software, with one ES256 key for one site (WebAuthn level 3). */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32)
  private readonly origin: string
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  private userHandle = ''
  counter = 0

  constructor(origin: string) {
    this.origin = origin
  }

  private clientData(type: string, challenge: string, { origin = this.origin }: Forgery): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  private authenticatorData(rpId: string, forgery: Forgery, credential: Uint8Array = new Uint8Array()): Buffer {
    const { isUserVerified = true, counter = this.counter } = forgery
    const flags = user_present | (isUserVerified ? user_verified : 0) | (credential.length > 0 ? has_credential : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(forgery.rpId ?? rpId), Buffer.from([flags]), count, credential])
  }

  private get coseKey(): Buffer {
    const { x = '', y = '' } = (this.keys.publicKey as KeyObject).export({ format: 'jwk' })
    return encodeCbor(
      new Map<number, CborValue>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
  }

  /** Answers `navigator.credentials.create`, as `toJSON` of the credential gives it. */
  create(options: CreationOptions, forgery: Forgery = {}): Record<string, unknown> {
    this.userHandle = options.user.id
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.credentialId.length)
    const credential = Buffer.concat([Buffer.alloc(16), length, this.credentialId, this.coseKey])
    const authData = this.authenticatorData(options.rp.id ?? '', forgery, credential)
    const attestationObject = encodeCbor(
      new Map<string, CborValue>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    )
    return this.toJson({
      clientDataJSON: toBase64url(this.clientData('webauthn.create', options.challenge, forgery)),
      attestationObject: toBase64url(attestationObject),
      transports: ['internal'],
    })
  }

  /** Answers `navigator.credentials.get`; each use counts. */
  get(options: RequestOptions, forgery: Forgery = {}): Record<string, unknown> {
    this.counter += 1
    const clientData = this.clientData('webauthn.get', options.challenge, forgery)
    const authenticatorData = this.authenticatorData(options.rpId ?? '', forgery)
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.keys.privateKey)
    const userHandle = forgery.userHandle === undefined ? this.userHandle : forgery.userHandle
    return this.toJson({
      clientDataJSON: toBase64url(clientData),
      authenticatorData: toBase64url(authenticatorData),
      signature: toBase64url(signature),
      ...(userHandle === null ? {} : { userHandle }),
    })
  }

  private toJson(response: Record<string, unknown>): Record<string, unknown> {
    const id = toBase64url(this.credentialId)
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }
}
