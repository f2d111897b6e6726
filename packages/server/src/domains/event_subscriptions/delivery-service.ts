import { relayDatabaseChannel, type RelayedChannel } from '../../platform/database/relay-channel.ts'
import { eventChannels } from '../events/event-channels.ts'
import { startDeliveryWorker, type DeliveryWorker, type DeliveryWorkerDependencies } from './delivery-worker.ts'

/** Sends webhooks between `start` and `stop`. */
export interface DeliveryService {
  start(): Promise<void>
  /** Waits so long for attempts in progress. */
  stop(grace_ms: number): Promise<void>
}

/** A delivery worker that transactions of all processes wake. */
export function createDeliveryService(dependencies: Omit<DeliveryWorkerDependencies, 'channel'>): DeliveryService {
  let running: { readonly worker: DeliveryWorker; readonly channel: RelayedChannel } | null = null
  return {
    start: async () => {
      const channel = await relayDatabaseChannel(dependencies.database, eventChannels.deliveries, dependencies.log)
      running = { channel, worker: startDeliveryWorker({ ...dependencies, channel }) }
    },
    stop: async (grace_ms) => {
      await running?.worker.stop(grace_ms)
      await running?.channel.close()
    },
  }
}
