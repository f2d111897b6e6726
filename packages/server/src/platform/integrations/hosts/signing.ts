import type { Clock } from '../../clock.ts'
import { createBoundedCache } from '../../bounded-cache.ts'
import type { SafeFetch } from '../integrations.ts'
import { asObject, asText } from './stac-item.ts'

/** The authorization of requests to a host. */
export type HostRequestAuthorization = 'none' | 'planetary-computer' | 'bearer'

export interface SignableRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Adds what authorizes a request; leaves requests to other origins as they are. */
export type HostRequestSigner = (request: SignableRequest) => Promise<SignableRequest>

export interface HostAuthorizationOptions {
  readonly signing: HostRequestAuthorization
  /** Origins that may see the token of `bearer`. */
  readonly origins: ReadonlySet<string>
  readonly token: string | null
  /** The token service of `planetary-computer`. */
  readonly token_url: string
  readonly fetch: SafeFetch
  readonly clock: Clock
}

const doNotSign: HostRequestSigner = async (request) => request

export function createHostRequestSigner({ signing, ...options }: HostAuthorizationOptions): HostRequestSigner {
  const signers: Readonly<Record<HostRequestAuthorization, () => HostRequestSigner>> = {
    none: () => doNotSign,
    bearer: () => signWithBearer(options.token, options.origins),
    'planetary-computer': () => signWithSas(options),
  }
  return signers[signing]()
}

const signWithBearer =
  (token: string | null, origins: ReadonlySet<string>): HostRequestSigner =>
  async ({ url, headers }) => {
    const isOwn = token !== null && URL.canParse(url) && origins.has(new URL(url).origin)
    return { url, headers: isOwn ? { ...headers, authorization: `Bearer ${token}` } : headers }
  }

const azure_host = /^([a-z0-9]{3,24})\.blob\.core\.windows\.net$/
/** A token is replaced this long before it expires. */
const renewal_ms = 60_000
const max_token_bytes = 64 * 1024
const max_containers = 200

interface SasToken {
  readonly token: string
  readonly expires_at_ms: number
}

/** Files of Azure Blob Storage are read with a token (SAS) for their container, which a public service issues. */
function signWithSas({ token_url, fetch, clock }: Omit<HostAuthorizationOptions, 'signing'>): HostRequestSigner {
  const tokens = createBoundedCache<string, SasToken>({ max_entries: max_containers })
  return async ({ url, headers }) => {
    const parsed = URL.canParse(url) ? new URL(url) : null
    const account = azure_host.exec(parsed?.hostname ?? '')?.[1]
    const container = parsed?.pathname.split('/')[1] ?? ''
    if (!parsed || !account || !/^[a-z0-9-]{1,63}$/.test(container) || parsed.searchParams.has('sig'))
      return { url, headers }
    const key = `${account}/${container}`
    const known = tokens.get(key)
    const isValid = known !== undefined && known.expires_at_ms - renewal_ms > clock.now().getTime()
    const sas = isValid ? known : await requestSasToken(`${token_url}/${key}`, fetch)
    if (!isValid) tokens.set(key, sas)
    return { url: `${url}${parsed.search === '' ? '?' : '&'}${sas.token}`, headers }
  }
}

async function requestSasToken(url: string, fetch: SafeFetch): Promise<SasToken> {
  const { status, body } = await fetch(url, { limit_bytes: max_token_bytes })
  const text = status === 200 ? asText(asObject(parseJson(body))['token']) : null
  if (!text) throw new Error('the token service of the catalogue gave no token')
  const token = text.replace(/^\?/, '')
  const expires_at_ms = Date.parse(new URLSearchParams(token).get('se') ?? '')
  // A token without an end is used once.
  return { token, expires_at_ms: Number.isNaN(expires_at_ms) ? 0 : expires_at_ms }
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return null
  }
}
