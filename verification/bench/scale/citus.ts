import { createClient } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { listCitusNodes } from '../../../packages/server/test/citus/cluster.ts'
import { withTemporaryPostgres } from '../../../tools/postgres-server.ts'
import { createOperationCall, type HttpCall } from '../../prove/load/sender.ts'
import { alternate, median, type Figure } from '../runner.ts'
import { startInstallation, type ScaleInstallation, type ScaleSizes } from './installation.ts'
import { measureRequests } from './request-load.ts'

const max_read_ratio = 1.5
const max_placement_ratio = 2
const round_ms = 2_000

/** One caller's requests of one kind. */
interface CitusWorkload {
  readonly name: string
  readonly must: number
  readonly request: (number: number) => HttpCall
}

/**
 * The time of a call on Citus as a ratio to the same call on one PostgreSQL, each with its own process and one caller, in
 * alternating rounds: what it costs to have the rows elsewhere, not what more workers bear.
 */
export async function compareCitus(sizes: ScaleSizes, rounds: number): Promise<Figure[]> {
  const [coordinator] = listCitusNodes() ?? []
  if (coordinator === undefined) throw new Error('set SWATH_TEST_CITUS to the URLs of a cluster, the coordinator first')
  return withTemporaryPostgres(async (server) => {
    await using distributed = await startInstallation(coordinator, sizes)
    await using plain = await startInstallation(server, sizes)
    const installations = [distributed, plain]
    const workloads = await Promise.all(installations.map(createCitusWorkloads))
    const figures: Figure[] = []
    for (const [index, { name, must }] of workloads[0]!.entries()) {
      const sides = installations.map(({ processes }, side) => async (round: number) => {
        const { request } = workloads[side]![index]!
        const load = { urls: [processes[0]!.url], callers: 1, duration_ms: round_ms }
        const { p50_ms } = await measureRequests({ ...load, request: (number) => request(round * 100_000 + number) })
        return p50_ms
      })
      // The first round compiles the code of both.
      const [ours = [], theirs = []] = (await alternate(rounds + 1, ...sides)).map((times) => times.slice(1))
      console.log(`${name}: p50 ${median(ours).toFixed(2)} ms on Citus, ${median(theirs).toFixed(2)} ms on PostgreSQL`)
      const value = median(ours.map((time, round) => time / theirs[round]!))
      figures.push({ name: `scale: ${name}: Citus / PostgreSQL`, value, must, atMost: true })
    }
    return figures
  })
}

async function createCitusWorkloads({
  processes,
  token,
  tenants,
  captures,
}: ScaleInstallation): Promise<CitusWorkload[]> {
  const [{ url } = { url: '' }] = processes
  const bearer = await token()
  const { projects } = await createClient({ baseUrl: url, token }).call<{ projects: { id: string; name: string }[] }>(
    'projects.list',
  )
  // Its items were loaded; the first project of an installation has none.
  const { id: project_id } = projects.find(({ name }) => name === 'Scale')!
  const buyers = await Promise.all(tenants.map(({ login }) => createTokenSource(url, login)()))
  const read = (operation: string, input: object = {}): CitusWorkload => ({
    name: operation,
    must: max_read_ratio,
    request: () => createOperationCall(operation, input, bearer),
  })
  return [
    read('billing.credits.balance'),
    read('collections.list', { project_id }),
    read('items.list', { project_id, limit: 20 }),
    read('stac.search', { bbox: [-60, -40, -40, 60], limit: 10 }),
    {
      name: 'orders.archive.place',
      must: max_placement_ratio,
      request: (number) => {
        const call = createOperationCall('orders.archive.place', { captures }, buyers[number % buyers.length]!)
        return { ...call, headers: { ...call.headers, 'idempotency-key': `citus-${number}` } }
      },
    },
  ]
}
