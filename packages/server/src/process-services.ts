import type { Keys } from './platform/crypto/signatures.ts'
import type { PublicDocumentKey } from './platform/crypto/document-signer.ts'
import { limits } from '@swath/contract/limits.ts'
import type { ProcessServices } from './engine/process-services.ts'
import { createPlaceIndex } from './domains/catalog/places/place-index.ts'
import { createImageCache } from './domains/rendering/image-response.ts'
import { createRasterHeaders } from './domains/rendering/raster-headers.ts'
import { createReceiptSigner, listReceiptKeys } from './domains/processing/receipts.ts'
import { createRasterService } from './domains/rendering/raster-pool.ts'
import { createShareVisitors } from './domains/share/share-visitors.ts'
import { createSandboxAdvances } from './domains/sandbox/sandbox-advances.ts'
import type { RelayedChannel } from './platform/database/relay-channel.ts'
import { createUnsubscribeLinks } from './domains/notifications/unsubscribe-links.ts'
import { createOpenStreams } from './domains/events/open-streams.ts'
import { createRevocationFeed } from './domains/identity/revocation-feed.ts'
import { createWebhookServices } from './domains/event_subscriptions/webhook-services.ts'
import { createVectorService } from './domains/vectors/vector-worker/vector-worker.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import type { Logger } from './platform/log.ts'
import type { RateLimiter } from './platform/rate-limits/rate-limit.ts'

/** The services that have threads, which tests share between applications. */
export type ThreadServices = Pick<ProcessServices, 'rasters' | 'vectors'>

type ThreadSettings = Pick<Config, 'raster_threads' | 'raster_cache_mib' | 'max_wait_ms'>

export const createThreadServices = ({
  raster_threads: threads,
  raster_cache_mib: cache_mib,
  max_wait_ms,
}: ThreadSettings): ThreadServices => ({
  rasters: createRasterService({ threads, cache_mib, max_wait_ms }),
  vectors: createVectorService(),
})

export async function closeThreadServices({ rasters, vectors }: ThreadServices): Promise<void> {
  await rasters.close()
  await vectors.close()
}

/** The URL under which clients reach the server, as far as the configuration says it. */
export const publicUrlOf = ({ base_url, host, port }: Pick<Config, 'base_url' | 'host' | 'port'>): string =>
  base_url ?? `http://${host}:${port}`

export const createProcessServices = (
  threads: ThreadServices,
  {
    rateLimiter,
    clock,
    config,
    masterSecrets,
    receiptKeys,
    eventFeed,
    renderableItems,
    log,
  }: {
    readonly rateLimiter: RateLimiter
    readonly clock: Clock
    readonly config: Pick<
      Config,
      'tile_cache_mib' | 'webhook_retry_s' | 'webhook_hold_s' | 'base_url' | 'host' | 'port'
    >
    readonly masterSecrets: Keys
    /** The public keys of receipts that were signed with replaced master secrets. */
    readonly receiptKeys: readonly PublicDocumentKey[]
    readonly eventFeed: RelayedChannel
    readonly renderableItems: ProcessServices['renderableItems']
    readonly log: Logger
  },
): ProcessServices => ({
  ...threads,
  publicUrl: publicUrlOf(config),
  unsubscribeLinks: createUnsubscribeLinks(masterSecrets, publicUrlOf(config)),
  receiptSigner: createReceiptSigner(masterSecrets[0]),
  receiptKeys: listReceiptKeys(masterSecrets, receiptKeys),
  images: createImageCache(config.tile_cache_mib * 1024 * 1024),
  rasterHeaders: createRasterHeaders(),
  placeIndex: createPlaceIndex(),
  renderableItems,
  shareVisitors: createShareVisitors(rateLimiter, clock),
  eventFeed,
  openStreams: createOpenStreams(),
  revocations: createRevocationFeed(),
  sandboxAdvances: createSandboxAdvances(log),
  webhooks: createWebhookServices(
    masterSecrets,
    {
      retry_delays_s: config.webhook_retry_s,
      hold_s: [config.webhook_hold_s[0]!, config.webhook_hold_s.at(-1)!],
      timeout_ms: limits.webhook_timeout_seconds * 1000,
    },
    config.base_url,
  ),
})
