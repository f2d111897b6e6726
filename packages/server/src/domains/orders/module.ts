import type { Module } from '../../engine/task.ts'
import { fulfilOrder } from './fulfil.task.ts'
import { estimateArchiveOrder } from './orders.archive.estimate.ts'
import { placeArchive } from './orders.archive.place.ts'
import { cancelOrder } from './orders.cancel.ts'
import { downloadOrder } from './orders.download.ts'
import { getOrder } from './orders.get.ts'
import { listReadableOrders } from './orders.list.ts'
import { listOrderAssets } from './orders.list_assets.ts'
import { placeOrderWithHost } from './place-with-host.task.ts'
import { stopOrder } from './stop.task.ts'
import { sweepOrders } from './sweep.task.ts'

export const orders: Module = {
  name: 'orders',
  handlers: [
    estimateArchiveOrder,
    placeArchive,
    getOrder,
    listReadableOrders,
    listOrderAssets,
    downloadOrder,
    cancelOrder,
  ],
  tasks: [placeOrderWithHost, fulfilOrder, stopOrder, sweepOrders],
}
