import type { ContractRoute } from '@swath/contract/routes.ts'

type InterfaceRoute = Pick<ContractRoute, 'method' | 'path' | 'operation'>

/** OGC API - Processes, also at its older path. */
const processesRoutes: readonly InterfaceRoute[] = ['/processing', '/v2/processing'].flatMap(
  (root): InterfaceRoute[] => [
    { method: 'GET', path: `${root}/jobs`, operation: 'processing.jobs.list' },
    { method: 'GET', path: `${root}/jobs/{job_id}`, operation: 'processing.job.get' },
    { method: 'GET', path: `${root}/jobs/{job_id}/results`, operation: 'processing.job.get' },
    { method: 'DELETE', path: `${root}/jobs/{job_id}`, operation: 'processing.job.cancel' },
  ],
)

/** Routes whose handlers are not printed from the contract, with the operation that each runs. */
export const interfaceRoutes: readonly InterfaceRoute[] = [
  ...processesRoutes,
  { method: 'GET', path: '/stapi/orders', operation: 'orders.list' },
  { method: 'GET', path: '/stapi/orders/{order_id}', operation: 'orders.get' },
  { method: 'GET', path: '/stapi/orders/{order_id}/statuses', operation: 'orders.get' },
]
