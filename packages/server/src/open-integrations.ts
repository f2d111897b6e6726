import type { CurrentAndAcceptedKeys } from './platform/crypto/signatures.ts'
import { fileURLToPath } from 'node:url'
import { renderQuicklook } from './domains/catalog/scene-quicklook.ts'
import { createSimulatedImageWriter } from './domains/tiles/style/simulated-image.ts'
import type { Clock, OrganizationClocks } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import type { Database } from './platform/database/database.ts'
import { createDemoHosts } from './platform/integrations/hosts/demo/demo-hosts.ts'
import {
  openConfiguredHosts,
  requireUniqueNames,
  loadHostOffersAtStart,
} from './platform/integrations/hosts/open-hosts.ts'
import { withHostTimeout } from './platform/integrations/host-with-timeout.ts'
import type { ImageryHost } from './platform/integrations/imagery-host.ts'
import type { Integrations } from './platform/integrations/integrations.ts'
import type { EmbeddedPaymentProcessor } from './platform/integrations/payments/embedded/embedded.ts'
import { createOpenIdProviders } from './platform/integrations/openid/openid-providers.ts'
import { createTextRecordReader } from './platform/integrations/text-records.ts'
import { openMailer } from './platform/integrations/mail/open-mailer.ts'
import { openPaymentProcessor } from './platform/integrations/payments/open-payments.ts'
import {
  createInternalUrlCheck,
  createSafeFetch,
  createUrlCheck,
  type ResolveHostName,
} from './platform/integrations/safe-fetch.ts'
import { withSandboxIntegrations } from './platform/integrations/sandbox/sandbox-integrations.ts'
import type { Logger } from './platform/log.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import type { ThreadServices } from './services.ts'

const demoDir = new URL('../demo/', import.meta.url)

/** The options for opening external services. */
export interface OpenIntegrationsOptions {
  readonly config: Config
  readonly clock: Clock & OrganizationClocks
  readonly log: Logger
  readonly database: Database
  readonly threads: ThreadServices
  readonly masterSecrets: CurrentAndAcceptedKeys
  /** Hosts beside those of the demonstration and of the configuration. */
  readonly hosts: readonly ImageryHost[]
  /** Resolves host names instead of the system; for tests. */
  readonly resolver: { readonly resolve?: ResolveHostName }
  readonly tracing: Tracing
}

/** Opens the hosts, the payment processor and the guarded fetch, for real and for sandbox organizations. */
export async function openIntegrations(
  options: OpenIntegrationsOptions,
): Promise<{ readonly integrations: Integrations; readonly embedded: EmbeddedPaymentProcessor }> {
  const { config, clock, log, database, masterSecrets, resolver } = options
  const hosts = await openHosts(options)
  const { payments, embedded } = await openPaymentProcessor({ config, database, clock, log, secret: masterSecrets[0] })
  const fetch = createSafeFetch({ config, ...resolver, tracing: options.tracing })
  const now_ms = (): number => clock.now().getTime()
  const remote = {
    fetch,
    textRecords: createTextRecordReader(config),
    openid: createOpenIdProviders({ fetch, outside_allow: config.outside_allow, now_ms }),
    checkUrl: createUrlCheck({ config, ...resolver }),
    isInternalUrl: createInternalUrlCheck(config),
    mail: openMailer(config),
    hosts: new Map(hosts.map((host) => [host.name, withHostTimeout(host, config.host_timeout_ms)])),
  }
  const sandboxMail = openMailer({ ...config, smtp_url: null })
  return {
    integrations: withSandboxIntegrations(
      { integrations: remote, embedded, database, clock, mail: sandboxMail },
      payments,
    ),
    embedded,
  }
}

async function openHosts(options: OpenIntegrationsOptions): Promise<readonly ImageryHost[]> {
  const { config, clock, log, database, threads } = options
  const demo = config.demo ? await openDemoHosts(database, threads) : []
  const configured = await openConfiguredHosts({ config, clock, log, renderQuicklook, tracing: options.tracing })
  const hosts = [...demo, ...configured, ...options.hosts]
  requireUniqueNames(hosts)
  loadHostOffersAtStart(configured, log)
  return hosts
}

/** The bundled archives, and the constellation, whose orbit library costs time at startup and so is loaded only here. */
async function openDemoHosts(database: Database, { rasters }: ThreadServices): Promise<readonly ImageryHost[]> {
  const { createConstellationHost } = await import('./platform/integrations/hosts/constellation/constellation.ts')
  const constellation = await createConstellationHost({
    database,
    demoDir: fileURLToPath(demoDir),
    writeImage: createSimulatedImageWriter(rasters),
  })
  return [...(await createDemoHosts(demoDir, renderQuicklook)), constellation]
}
