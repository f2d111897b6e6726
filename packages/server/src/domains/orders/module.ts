import type { Module } from '../../engine/task.ts'
import { fulfilOrder } from './fulfil.task.ts'
import { estimateArchiveOrder } from './operations/orders.archive.estimate.ts'
import { placeArchive } from './operations/orders.archive.place.ts'
import { cancelOrder } from './operations/orders.cancel.ts'
import { getOrderCoverage } from './operations/orders.coverage.get.ts'
import { listCoverageGroups } from './operations/orders.coverage.groups.list.ts'
import { downloadOrder } from './operations/orders.download.ts'
import { estimateProductOrders } from './operations/orders.estimate.ts'
import { getOrder } from './operations/orders.get.ts'
import { getProductSchema } from './operations/orders.get_schema.ts'
import { listReadableOrders } from './operations/orders.list.ts'
import { listOrderAssets } from './operations/orders.list_assets.ts'
import { placeOrders } from './operations/orders.place.ts'
import { quoteArchiveOrder } from './operations/orders.quote.ts'
import { reorder } from './operations/orders.reorder.ts'
import { getOrderTimeline } from './operations/orders.timeline.ts'
import { createStandingOrder } from './operations/orders.standing.create.ts'
import { decideScene } from './operations/orders.standing.decide.ts'
import { deleteStandingOrder } from './operations/orders.standing.delete.ts'
import { listReadableStandingOrders } from './operations/orders.standing.list.ts'
import { listStandingOrderScenes } from './operations/orders.standing.scenes.list.ts'
import { changeStandingOrder } from './operations/orders.standing.update.ts'
import { updateOrder } from './operations/orders.update.ts'
import { placeOrderWithHost } from './place-with-host.task.ts'
import { runStandingOrderTask } from './standing/run.task.ts'
import { suspendStandingOrders } from './standing/suspend.task.ts'
import { dueStandingOrders, sweepStandingOrders } from './standing/sweep.task.ts'
import { stopOrder } from './stop.task.ts'
import { dueOrders, sweepOrders } from './sweep.task.ts'

export const orders: Module = {
  name: 'orders',
  handlers: [
    estimateArchiveOrder,
    quoteArchiveOrder,
    placeArchive,
    getProductSchema,
    estimateProductOrders,
    placeOrders,
    getOrder,
    listReadableOrders,
    listOrderAssets,
    downloadOrder,
    cancelOrder,
    getOrderCoverage,
    listCoverageGroups,
    updateOrder,
    getOrderTimeline,
    reorder,
    createStandingOrder,
    listReadableStandingOrders,
    changeStandingOrder,
    deleteStandingOrder,
    listStandingOrderScenes,
    decideScene,
  ],
  tasks: [
    placeOrderWithHost,
    fulfilOrder,
    stopOrder,
    sweepOrders,
    runStandingOrderTask,
    suspendStandingOrders,
    sweepStandingOrders,
  ],
  dueWork: [dueOrders, dueStandingOrders],
}
