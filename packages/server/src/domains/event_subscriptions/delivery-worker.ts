import { webhookServicesKey } from './webhook-services.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../../engine/actor.ts'
import { platformPrincipal, type TaskRunDependencies } from '../../engine/task-definition.ts'
import { monotonic_ms } from '../../platform/clock.ts'
import type { RelayedChannel } from '../../platform/database/relay-channel.ts'
import { newId } from '../../platform/ids.ts'
import type { Logger } from '../../platform/log.ts'
import type { QueueProducer } from '../../platform/queue/queue.ts'
import { runPeriodically } from '../../platform/run-periodically.ts'
import { listOrganizationsOfDueEventDeliveries } from './due-organizations.ts'
import {
  claimDueEventDeliveries,
  sendEventDelivery,
  type ClaimedEventDeliveryBatch,
  type EventDeliveryContext,
} from './deliver.ts'
import type { FinishedEventDeliveryAttempt } from './record-results.ts'
import { max_deliveries_in_progress_per_organization } from './retry-policy.ts'
import { writeEventDeliveryResults } from './write-results.ts'

export type EventDeliveryWorkerDependencies = Pick<
  TaskRunDependencies,
  'database' | 'clock' | 'integrations' | 'processServices' | 'log'
> & {
  readonly queue: QueueProducer
  /** Sends the ids of organizations with new deliveries. */
  readonly channel: Pick<RelayedChannel, 'subscribe'>
  readonly poll_s: number
}

/** Sends the deliveries of all organizations until it is stopped. */
export interface EventDeliveryWorker {
  /** Claims nothing more and waits this long for the attempts in progress; the others are made again later. */
  stop(grace_ms: number): Promise<void>
}

/** Attempts in progress in this process. */
const max_in_progress = 2048
/**
 * Minimum time between the starts of two turns, each of which records and claims for one organization: deliveries that
 * come meanwhile share the cost, and the first attempt after an event waits no longer than this.
 */
const min_turn_ms = 50

/**
 * Deliveries have queues of their own beside the task queue: an endpoint that does not respond would occupy the slots
 * of tasks. Their state is in the database alone, so any number of processes may send them.
 */
export function startEventDeliveryWorker(dependencies: EventDeliveryWorkerDependencies): EventDeliveryWorker {
  const stopping = new AbortController()
  const senders = new Map<string, OrganizationSender>()
  const budget = { in_progress: 0 }

  const wake = (organization: string): void => {
    if (stopping.signal.aborted) return
    const sender = senders.get(organization)
    if (sender) return sender.wake()
    const forget = (): void => void senders.delete(organization)
    const started = new OrganizationSender(contextOf(dependencies, organization), {
      budget,
      stopping: stopping.signal,
      log: dependencies.log,
    })
    senders.set(organization, started)
    started.done = started
      .run(forget)
      .catch((error: unknown) => dependencies.log.error({ error, organization }, 'deliveries could not be sent'))
  }
  const poll = async (): Promise<void> => {
    const { database, clock } = dependencies
    for (const organization of await listOrganizationsOfDueEventDeliveries(database.unscoped, clock)) wake(organization)
  }

  const unsubscribe = dependencies.channel.subscribe(wake)
  const stopPolling = runPeriodically(dependencies.poll_s * 1000, poll, (error) =>
    dependencies.log.warn({ error }, 'due deliveries could not be listed'),
  )
  return {
    stop: async (grace_ms) => {
      stopping.abort()
      unsubscribe()
      await stopPolling()
      const ended = Promise.all([...senders.values()].map((sender) => (sender.wake(), sender.done)))
      await Promise.race([ended, sleep(grace_ms, undefined, { ref: false })])
    },
  }
}

const contextOf = (
  { database, clock, integrations, processServices, queue }: EventDeliveryWorkerDependencies,
  organization: string,
): EventDeliveryContext => {
  const actor: Actor = {
    organization,
    principal: platformPrincipal,
    clock: clock.forOrganization(organization),
    operation: 'webhooks.deliver',
    requestId: newId(),
    queue,
  }
  const db = database.forOrganization(organization, 'background')
  return { actor, db, fetch: integrations.fetch, webhooks: processServices.get(webhookServicesKey) }
}

/** The state that the senders of a process share. */
interface SharedBySenders {
  readonly budget: { in_progress: number }
  readonly stopping: AbortSignal
  readonly log: Logger
}

/** Sends the deliveries of one organization until none is due or in progress. */
class OrganizationSender {
  done: Promise<void> = Promise.resolve()
  private readonly context: EventDeliveryContext
  private readonly shared: SharedBySenders
  private in_progress = 0
  private finished: FinishedEventDeliveryAttempt[] = []
  private isWoken = true
  /** Something was due when deliveries were last claimed, and could not be sent yet. */
  private isMoreDue = false
  private next_turn_ms = 0
  private resume: () => void = () => undefined

  constructor(context: EventDeliveryContext, shared: SharedBySenders) {
    this.context = context
    this.shared = shared
  }

  /** Looks for due deliveries once more. */
  wake(): void {
    this.isWoken = true
    this.resume()
  }

  /** @param onEnd called in the same moment in which the sender stops to look for deliveries, so that no wake is lost. */
  async run(onEnd: () => void): Promise<void> {
    try {
      while (this.isWoken || this.in_progress > 0 || this.finished.length > 0) {
        this.next_turn_ms = monotonic_ms() + min_turn_ms
        await this.recordFinished()
        if (this.isWoken || this.isMoreDue) await this.startDue()
        if (!this.isWoken && this.finished.length === 0 && this.in_progress > 0) await this.rest()
        await this.waitForTurn()
      }
    } finally {
      onEnd()
    }
  }

  /** Waits for the next turn, which all deliveries share that become due or end soon after the last one began. */
  private async waitForTurn(): Promise<void> {
    const wait_ms = this.next_turn_ms - monotonic_ms()
    const { stopping: signal } = this.shared
    if (wait_ms > 0) await sleep(wait_ms, undefined, { signal }).catch(() => undefined)
  }

  /** Writes the results that there are. Nothing is claimed meanwhile. */
  private async recordFinished(): Promise<void> {
    const attempts = this.finished.splice(0)
    if (attempts.length === 0) return
    const { log, stopping } = this.shared
    const fields = { organization: this.context.actor.organization, results: attempts.length }
    await writeEventDeliveryResults(this.context, attempts, {
      signal: stopping,
      onFailure: (error, pause_ms) =>
        log.warn({ ...fields, error, pause_ms }, 'results of deliveries could not be written yet'),
    }).catch((error: unknown) =>
      log.error({ ...fields, error }, 'results of deliveries were not written: they are sent again'),
    )
  }

  /** A failure ends nothing: the next look at the due deliveries repeats it, and attempts in progress still have results. */
  private async claim(limit: number): Promise<ClaimedEventDeliveryBatch> {
    try {
      return await claimDueEventDeliveries(this.context, limit)
    } catch (error) {
      const { organization } = this.context.actor
      this.shared.log.error({ error, organization }, 'due deliveries could not be claimed')
      return { deliveries: [], isMoreDue: true }
    }
  }

  private async startDue(): Promise<void> {
    const { budget, stopping } = this.shared
    this.isWoken = false
    this.isMoreDue = true
    const free = Math.min(
      max_in_progress - budget.in_progress,
      max_deliveries_in_progress_per_organization - this.in_progress,
    )
    if (free <= 0 || stopping.aborted) return
    const { deliveries, isMoreDue } = await this.claim(free)
    this.isMoreDue = isMoreDue
    for (const delivery of deliveries) {
      this.in_progress += 1
      budget.in_progress += 1
      void sendEventDelivery(this.context, delivery).then((attempt) => {
        this.in_progress -= 1
        budget.in_progress -= 1
        this.finished.push(attempt)
        this.resume()
      })
    }
  }

  private rest(): Promise<void> {
    return new Promise((resolve) => (this.resume = resolve))
  }
}
