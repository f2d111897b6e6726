import { relayDatabaseChannel, type RelayedChannel } from '../../platform/database/relay-channel.ts'
import { eventChannels } from '../events/event-channels.ts'
import {
  startEventDeliveryWorker,
  type EventDeliveryWorker,
  type EventDeliveryWorkerDependencies,
} from './delivery-worker.ts'

/** Sends webhooks between `start` and `stop`. */
export interface EventDeliveryService {
  start(): Promise<void>
  /** Waits so long for attempts in progress. */
  stop(grace_ms: number): Promise<void>
}

/** A delivery worker that transactions of all processes wake. */
export function createEventDeliveryService(
  dependencies: Omit<EventDeliveryWorkerDependencies, 'channel'>,
): EventDeliveryService {
  let running: { readonly worker: EventDeliveryWorker; readonly channel: RelayedChannel } | null = null
  return {
    start: async () => {
      const channel = await relayDatabaseChannel(dependencies.database, eventChannels.deliveries, dependencies.log)
      running = { channel, worker: startEventDeliveryWorker({ ...dependencies, channel }) }
    },
    stop: async (grace_ms) => {
      await running?.worker.stop(grace_ms)
      await running?.channel.close()
    },
  }
}
