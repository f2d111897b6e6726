import { limits } from '@swath/contract/limits.ts'
import { createPlaceIndex, placeIndexServiceKey } from './domains/catalog/places/place-index.ts'
import {
  createWebhookServices,
  webhookServicesKey,
  type EventDeliveryRetryPolicy,
} from './domains/event_subscriptions/webhook-services.ts'
import { eventFeedServiceKey } from './domains/events/event-feed.ts'
import { createEventStreamLimiter, eventStreamLimiterServiceKey } from './domains/events/open-streams.ts'
import { createSignInGuard, signInGuardServiceKey } from './domains/identity/account/sign-in-guard.ts'
import { createRevocationFeed, revocationFeedServiceKey } from './domains/identity/revocation-feed.ts'
import {
  renderableItemsServiceKey,
  type openRenderableItemCache,
  type RenderableItemCache,
} from './domains/items/renderable-items.ts'
import { createUnsubscribeLinks, unsubscribeLinksServiceKey } from './domains/notifications/unsubscribe-links.ts'
import {
  createJobReceiptSigner,
  listJobReceiptKeys,
  jobReceiptKeysServiceKey,
  jobReceiptSignerKey,
} from './domains/processing/receipts.ts'
import { createImageCache, imageCacheServiceKey } from './domains/tiles/image-response.ts'
import { createRasterHeaderCaches, rasterHeadersServiceKey } from './domains/tiles/raster-headers.ts'
import { createRasterService, rasterServiceKey, type RasterService } from './domains/tiles/raster-pool.ts'
import { createSandboxClockAdvances, sandboxClockAdvancesKey } from './domains/sandbox/sandbox-advances.ts'
import { createShareVisitorState, shareVisitorsServiceKey } from './domains/share/share-visitors.ts'
import {
  createVectorService,
  vectorServiceKey,
  type VectorService,
} from './domains/vectors/vector-worker/vector-worker.ts'
import { ServiceContainer, provideService, publicUrlServiceKey } from './engine/process-services.ts'
import type { DocumentSignaturePublicKey } from './platform/crypto/document-signer.ts'
import type { CurrentAndAcceptedKeys } from './platform/crypto/signatures.ts'
import type { CallServices } from './engine/call.ts'
import type { TaskRunDependencies } from './engine/task-definition.ts'
import type { CallMeter } from './domains/usage/call-meter.ts'
import type { EgressMeter } from './domains/usage/egress-meter.ts'
import type { OpenedBlobStore } from './platform/blobs/open-blobs.ts'
import type { Clock, OrganizationClocks } from './platform/clock.ts'
import type { RelayedChannel } from './platform/database/relay-channel.ts'
import type { Config } from './platform/config.ts'
import type { Metrics } from './platform/metrics.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import type { EmbeddedPaymentProcessor } from './platform/integrations/payments/embedded/embedded.ts'

/** The services that live as long as the process and are shared by calls and tasks. */
export interface Services extends TaskRunDependencies, Omit<CallServices, 'operatedQueue' | 'sandboxRunner'> {
  readonly clock: Clock & OrganizationClocks
  readonly config: Config
  readonly masterSecrets: CurrentAndAcceptedKeys
  readonly disk: OpenedBlobStore['disk']
  /** The blob store as tasks use it. */
  readonly background: OpenedBlobStore['background']
  /** The embedded payment processor: that of every organization, or with Stripe of sandbox organizations alone. */
  readonly embedded: EmbeddedPaymentProcessor
  /** Sends the ids of organizations with new events. */
  readonly eventFeed: RelayedChannel
  readonly renderableItems: Awaited<ReturnType<typeof openRenderableItemCache>>
  readonly meter: EgressMeter
  readonly callMeter: CallMeter
  readonly metrics: Metrics
  readonly tracing: Tracing
}

/** The services that have threads, which tests share between applications. */
export interface ThreadServices {
  readonly rasters: RasterService
  readonly vectors: VectorService
}

type ThreadSettings = Pick<Config, 'raster_threads' | 'raster_cache_mib' | 'max_wait_ms'>

export const createThreadServices = ({
  raster_threads: threads,
  raster_cache_mib: cache_mib,
  max_wait_ms,
}: ThreadSettings): ThreadServices => ({
  rasters: createRasterService({ threads, cache_mib, max_wait_ms }),
  vectors: createVectorService(),
})

export async function closeThreadServices(services: ServiceContainer): Promise<void> {
  await services.get(rasterServiceKey).close()
  await services.get(vectorServiceKey).close()
}

/** The URL under which clients reach the server, as far as the configuration says it. */
export const getPublicUrl = ({ base_url, host, port }: Pick<Config, 'base_url' | 'host' | 'port'>): string =>
  base_url ?? `http://${host}:${port}`

/** Creates the services that modules keep for the life of the process. */
export const createProcessServices = (
  { rasters, vectors }: ThreadServices,
  {
    rateLimiter,
    clock,
    config,
    masterSecrets,
    receiptKeys,
    eventFeed,
    renderableItems,
    log,
  }: Pick<Services, 'rateLimiter' | 'masterSecrets' | 'eventFeed' | 'log'> & {
    readonly clock: Clock
    readonly config: Pick<
      Config,
      'tile_cache_mib' | 'webhook_retry_s' | 'webhook_hold_s' | 'base_url' | 'host' | 'port' | 'rate_sign_ins'
    >
    /** The public keys of receipts that were signed with replaced master secrets. */
    readonly receiptKeys: readonly DocumentSignaturePublicKey[]
    readonly renderableItems: RenderableItemCache
  },
): ServiceContainer =>
  new ServiceContainer([
    provideService(rasterServiceKey, rasters),
    provideService(vectorServiceKey, vectors),
    provideService(publicUrlServiceKey, getPublicUrl(config)),
    provideService(unsubscribeLinksServiceKey, createUnsubscribeLinks(masterSecrets, getPublicUrl(config))),
    provideService(jobReceiptSignerKey, createJobReceiptSigner(masterSecrets[0])),
    provideService(jobReceiptKeysServiceKey, listJobReceiptKeys(masterSecrets, receiptKeys)),
    provideService(imageCacheServiceKey, createImageCache(config.tile_cache_mib * 1024 * 1024)),
    provideService(rasterHeadersServiceKey, createRasterHeaderCaches()),
    provideService(placeIndexServiceKey, createPlaceIndex()),
    provideService(renderableItemsServiceKey, renderableItems),
    provideService(shareVisitorsServiceKey, createShareVisitorState(rateLimiter, clock)),
    provideService(eventFeedServiceKey, eventFeed),
    provideService(eventStreamLimiterServiceKey, createEventStreamLimiter()),
    provideService(revocationFeedServiceKey, createRevocationFeed()),
    provideService(signInGuardServiceKey, createSignInGuard(rateLimiter, config)),
    provideService(sandboxClockAdvancesKey, createSandboxClockAdvances(log)),
    provideService(webhookServicesKey, createWebhookServices(masterSecrets, deliveryPolicyOf(config), config.base_url)),
  ])

const deliveryPolicyOf = ({
  webhook_retry_s,
  webhook_hold_s,
}: Pick<Config, 'webhook_retry_s' | 'webhook_hold_s'>): EventDeliveryRetryPolicy => ({
  retry_delays_s: webhook_retry_s,
  hold_s: [webhook_hold_s[0]!, webhook_hold_s.at(-1)!],
  timeout_ms: limits.webhook_timeout_seconds * 1000,
})
