import { isSandboxId } from '../ids.ts'
import type { ImageryHost } from './imagery-host.ts'
import type { Mailer } from './mail/mailer.ts'
import type { OpenIdProviders } from './openid/openid-types.ts'
import type { PaymentProcessor } from './payments/payments.ts'
import type { CheckRemoteUrl, IsInternalUrl, SafeFetch } from './safe-fetch-types.ts'
import type { ReadTextRecords } from './text-records.ts'

export type {
  CheckRemoteUrl,
  IsInternalUrl,
  SafeFetch,
  SafeFetchOptions,
  SafeFetchResponse,
} from './safe-fetch-types.ts'

/** All external services; tests and tools pass their own. */
export interface Integrations {
  /** Fetches from public addresses only, with limits on time and bytes; follows no redirect to a private address. */
  readonly fetch: SafeFetch
  /** Checks a URL as `fetch` does, without a request. */
  readonly checkUrl: CheckRemoteUrl
  /** Says whether a URL is of an internal host, for URLs that are stored and read by others. */
  readonly isInternalUrl: IsInternalUrl
  /** Reads TXT records of domains. */
  readonly textRecords: ReadTextRecords
  /** The OpenID Connect providers of organizations. */
  readonly openid: OpenIdProviders
  /** Imagery hosts by host name. */
  readonly hosts: ReadonlyMap<string, ImageryHost>
  /** The payment processor. */
  readonly payments: PaymentProcessor
  /** Sends e-mails; those of sandbox organizations are only stored. */
  readonly mail: Mailer
  /** The integrations of a sandbox organization; absent in tests without sandboxes. */
  readonly forSandbox?: (organization: string) => Integrations
}

/** The integrations that an organization uses: a sandbox has test payments and hosts that follow its scenarios. */
export function selectOrganizationIntegrations(integrations: Integrations, organization: string | null): Integrations {
  if (organization === null || !isSandboxId(organization)) return integrations
  if (!integrations.forSandbox) throw new Error('there are no integrations for sandbox organizations')
  return integrations.forSandbox(organization)
}

/**
 * `address`, `scheme`, `port` and `redirect`: the URL is not allowed. `name`, `connection`, `tls`, `timeout`: the host
 * cannot be reached, has no valid certificate, or does not respond. `too-large` and `range`: the response does not
 * match the request.
 */
export type SafeFetchFailureKind =
  | 'address'
  | 'scheme'
  | 'port'
  | 'redirect'
  | 'name'
  | 'connection'
  | 'tls'
  | 'timeout'
  | 'too-large'
  | 'range'

/**
 * A remote URL could not be fetched. The message is a sentence for the client and reveals nothing about the internal
 * network.
 */
export class SafeFetchFailure extends Error {
  readonly kind: SafeFetchFailureKind
  constructor(kind: SafeFetchFailureKind, message: string) {
    super(message)
    this.name = 'SafeFetchFailure'
    this.kind = kind
  }
}
