import type { ServiceContainer } from '../src/engine/process-services.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLogger } from '../src/platform/log.ts'
import type { Clock } from '../src/platform/clock.ts'
import type { RenderableItemCache } from '../src/domains/items/renderable-items.ts'
import type { RateLimiter } from '../src/platform/rate-limits/rate-limit.ts'
import { createProcessServices, createThreadServices } from '../src/services.ts'

/** Threads are started once per test process and end with it. */
export const testThreads = createThreadServices(readConfig({}))

/** The services of one application of a test: caches of its own, the threads of the process. */
export const createTestProcessServices = (
  rateLimiter: RateLimiter,
  clock: Clock,
  renderableItems: RenderableItemCache,
): ServiceContainer =>
  createProcessServices(testThreads, {
    rateLimiter,
    clock,
    config: readConfig({}),
    masterSecrets: [new Uint8Array(32).fill(10)],
    receiptKeys: [],
    eventFeed: silentFeed,
    renderableItems,
    log: createLogger({ level: 'silent' }),
  })

/** Streams of these tests poll. */
const silentFeed = {
  subscribe: () => () => undefined,
  closing: new AbortController().signal,
  close: async () => undefined,
}
