import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { proveCrsOracle } from '../oracle/crs-oracle.ts'
import { proveGridOracle } from '../oracle/grid-oracle.ts'
import { proveRasterOracle } from '../oracle/raster-oracle.ts'
import { proveWriteOracle } from '../oracle/write-oracle.ts'
import { proveAnalytics } from './analytics/analytics.ts'
import { proveCases, proveTwoSources } from './cases/cases.ts'
import { proveCitus } from './citus/citus.ts'
import { proveCitusMoveIn } from './citus-move-in/move-in.ts'
import { proveCli } from './cli/cli.ts'
import { proveClient } from './client/client.ts'
import { proveClients } from './clients/clients.ts'
import { proveConsole } from './console/console.ts'
import { proveCrash } from './crash/crash.ts'
import { proveFaults } from './faults/faults.ts'
import { proveFuzzRaster } from './fuzz-raster.ts'
import { proveHostile } from './hostile/hostile.ts'
import { proveHosts } from './hosts/hosts.ts'
import { proveJobs } from './jobs/jobs.ts'
import { proveLedger } from './ledger/ledger.ts'
import { proveMatrix } from './matrix/matrix.ts'
import { proveMoneyCrash } from './money-crash/money-crash.ts'
import { proveNotebooks } from './notebooks/notebooks.ts'
import { proveOrders } from './orders/orders.ts'
import { provePasses } from './passes/passes.ts'
import type { ProofOptions, ProofResult } from './proof.ts'
import { proveProcesses } from './processes/processes.ts'
import { provePython } from './python/python.ts'
import { proveQgis } from './qgis/qgis.ts'
import { proveRolling } from './rolling/rolling.ts'
import { proveRunbook } from './runbook/runbook.ts'
import { proveSandbox } from './sandbox/sandbox.ts'
import { proveScim } from './scim/scim.ts'
import { proveSignIn } from './sign-in/sign-in.ts'
import { proveSoak } from './soak/soak.ts'
import { proveStac } from './stac/stac.ts'
import { proveStapi } from './stapi/stapi.ts'
import { proveTransfers } from './transfers/transfers.ts'
import { proveUpload } from './upload/upload.ts'
import { proveUsage } from './usage/usage.ts'
import { proveWebhooks } from './webhooks/webhooks.ts'
import { proveWmts } from './wmts/wmts.ts'

const proofs: Readonly<Record<string, (options: ProofOptions) => Promise<ProofResult>>> = {
  analytics: proveAnalytics,
  cases: proveCases,
  citus: proveCitus,
  'citus-move-in': proveCitusMoveIn,
  cli: proveCli,
  client: proveClient,
  clients: proveClients,
  console: proveConsole,
  crash: proveCrash,
  'crs-oracle': proveCrsOracle,
  faults: proveFaults,
  'fuzz-raster': proveFuzzRaster,
  'grid-oracle': proveGridOracle,
  hostile: proveHostile,
  hosts: proveHosts,
  jobs: proveJobs,
  ledger: proveLedger,
  matrix: proveMatrix,
  'money-crash': proveMoneyCrash,
  notebooks: proveNotebooks,
  orders: proveOrders,
  passes: provePasses,
  processes: proveProcesses,
  python: provePython,
  qgis: proveQgis,
  'raster-oracle': proveRasterOracle,
  rolling: proveRolling,
  runbook: proveRunbook,
  sandbox: proveSandbox,
  scim: proveScim,
  'sign-in': proveSignIn,
  soak: proveSoak,
  stac: proveStac,
  stapi: proveStapi,
  transfers: proveTransfers,
  'two-sources': proveTwoSources,
  upload: proveUpload,
  usage: proveUsage,
  webhooks: proveWebhooks,
  wmts: proveWmts,
  'write-oracle': proveWriteOracle,
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      seed: { type: 'string' },
      data: { type: 'string' },
      only: { type: 'string' },
      minutes: { type: 'string' },
      events: { type: 'string' },
      items: { type: 'string' },
      rate: { type: 'string' },
      steps: { type: 'string' },
      width: { type: 'string' },
    },
  })
  const [name] = positionals
  const proof = name === undefined ? undefined : proofs[name]
  if (!proof) {
    console.error(`name a proof: ${Object.keys(proofs).join(', ')}`)
    process.exitCode = 1
    return
  }
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
  console.log(`proof ${name}, seed ${seed}`)
  const { minutes, events, items, rate, steps, width, ...options } = values
  const given = Object.entries({ minutes, events, items, rate, steps, width }).filter(
    ([, value]) => value !== undefined,
  )
  const extent = Object.fromEntries(given.map(([key, value]) => [key, Number(value)]))
  const { tried, violations } = await proof({ ...options, ...extent, seed })
  for (const violation of violations) console.log(`VIOLATED: ${violation}`)
  console.log(`${tried}; ${violations.length} violations`)
  process.exitCode = violations.length === 0 ? 0 : 1
}

await main()
