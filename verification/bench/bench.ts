import { benchAnalytics } from './analytics/analytics.ts'
import { benchCalls } from './calls.ts'
import { benchCapacity } from './capacity/capacity.ts'
import { benchCatalog } from './catalog/catalog.ts'
import { benchConsole } from './console/console.ts'
import { describeFigure, holds, type Figure } from './runner.ts'
import { benchGrowth } from './growth/growth.ts'
import { benchJobs } from './jobs/jobs.ts'
import { benchLedger } from './ledger/ledger.ts'
import { benchOrders } from './orders/orders.ts'
import { benchPartitions } from './search/partitions.ts'
import { benchRaster } from './raster/raster.ts'
import { benchScale } from './scale/scale.ts'
import { benchSearch } from './search/search.ts'
import { benchTasking } from './tasking/tasking.ts'
import { benchTiles } from './tiles/tiles.ts'

/** Each takes the arguments after its name. */
const benchmarks: Readonly<Record<string, (args: readonly string[]) => Promise<readonly Figure[]>>> = {
  analytics: benchAnalytics,
  calls: benchCalls,
  capacity: benchCapacity,
  catalog: benchCatalog,
  console: benchConsole,
  growth: benchGrowth,
  jobs: benchJobs,
  ledger: benchLedger,
  orders: benchOrders,
  partitions: benchPartitions,
  raster: benchRaster,
  scale: benchScale,
  search: benchSearch,
  tasking: benchTasking,
  tiles: benchTiles,
}

const [name = '', ...args] = process.argv.slice(2)
const benchmark = benchmarks[name]
if (!benchmark) {
  console.error(`name a benchmark: ${Object.keys(benchmarks).join(', ')}`)
  process.exitCode = 1
} else {
  const figures = await benchmark(args)
  console.log(figures.map(describeFigure).join('; '))
  process.exitCode = figures.length > 0 && figures.every(holds) ? 0 : 1
}
