import type { OrganizationClock } from '../../clock.ts'
import type { DbConnection } from '../../database/database.ts'
import { HostRefusal, type HostDelivery, type ImageryHost } from '../imagery-host.ts'
import {
  claimScenario,
  countWrongChecksum,
  findHostOrder,
  insertHostOrder,
  type SandboxHostOrder,
  type ScenarioRow,
} from './store.scenarios.ts'

/** The sandbox organization that orders from a host. */
export interface SandboxCustomer {
  readonly db: DbConnection
  readonly clock: OrganizationClock
}

/** A host whose orders cost money takes no order from a sandbox. */
function refuseMoney({ orders_for_money, tasking }: ImageryHost): Pick<ImageryHost, 'tasking'> {
  if (!orders_for_money || !tasking) return tasking ? { tasking } : {}
  const refuse = async (): Promise<never> => {
    throw new HostRefusal('A sandbox organization cannot order from a real provider.')
  }
  return {
    tasking: {
      ...tasking,
      get products() {
        return tasking.products
      },
      placeTask: refuse,
      ...(tasking.requestStudy ? { requestStudy: refuse } : {}),
    },
  }
}

const numberOf = (scenario: ScenarioRow | null, name: string): number => {
  const value = scenario?.parameters[name]
  return typeof value === 'number' ? value : 0
}

const reasonOf = ({ parameters }: ScenarioRow): string => {
  const { reason } = parameters
  return typeof reason === 'string' ? reason : 'The host refuses the order, as the scenario says.'
}

/**
 * A host as one sandbox organization sees it: it follows the scenarios of the organization, oldest first, and otherwise
 * behaves as for all organizations. A host that orders from a provider for money refuses.
 */
export function createSandboxHost(host: ImageryHost, { db, clock }: SandboxCustomer): ImageryHost {
  const { organization } = clock
  const consume = (kind: string): Promise<ScenarioRow | null> => claimScenario(db, organization, [kind], host.name)

  /** Decides how an order will be delivered, when it is placed. */
  const planDelivery = async (): Promise<SandboxHostOrder> => {
    const delay = await consume('host.delay')
    const partial = await consume('host.partial_delivery')
    const refusal = await consume('host.refuse_delivery')
    const wrong = await consume('host.wrong_checksum')
    return {
      ready_at: delay && new Date(clock.now().getTime() + numberOf(delay, 'seconds') * 1000),
      missing_scenes: numberOf(partial, 'missing_scenes'),
      refusal: refusal && reasonOf(refusal),
      wrong_checksums: numberOf(wrong, 'deliveries'),
    }
  }

  return {
    ...host,
    ...refuseMoney(host),
    get collections() {
      return host.collections
    },
    place: async (order, signal) => {
      if (await consume('host.fail')) throw new Error('The host does not respond, as the scenario says.')
      const refusal = await consume('host.refuse_order')
      if (refusal) throw new HostRefusal(reasonOf(refusal))
      if (host.orders_for_money) throw new HostRefusal('A sandbox organization cannot order from a real provider.')
      const { reference } = await host.place(order, signal)
      const key = { organization, host: host.name, reference }
      if (!(await findHostOrder(db, key))) await insertHostOrder(db, key, await planDelivery())
      if (await consume('host.lose_response'))
        throw new Error('The response of the host was lost, as the scenario says.')
      return { reference }
    },
    deliveries: async (reference, signal) => {
      const key = { organization, host: host.name, reference }
      const order = await findHostOrder(db, key)
      if (order?.refusal) return { state: 'refused', reason: order.refusal }
      if (order?.ready_at && order.ready_at > clock.now()) return { state: 'waiting', ready_at: order.ready_at }
      const delivery = await host.deliveries(reference, signal)
      if (!order || delivery.state !== 'ready') return delivery
      if (order.wrong_checksums > 0) await countWrongChecksum(db, key)
      return alterDelivery(delivery, order)
    },
  }
}

const wrongSha256 = '0'.repeat(64)

function alterDelivery(delivery: HostDelivery & { state: 'ready' }, order: SandboxHostOrder): HostDelivery {
  const scenes = [...new Set(delivery.files.map(({ scene }) => scene))]
  const delivered = new Set(scenes.slice(0, Math.max(scenes.length - order.missing_scenes, 0)))
  const files = delivery.files
    .filter(({ scene }) => delivered.has(scene))
    .map((file) =>
      order.wrong_checksums === 0
        ? file
        : {
            ...file,
            sha256: wrongSha256,
            download: (path: string, signal: AbortSignal) => file.download(path, signal),
          },
    )
  return { state: 'ready', files }
}
