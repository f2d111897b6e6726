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
import { quoteOrder } from './operations/orders.quote.ts'
import { reorder } from './operations/orders.reorder.ts'
import { getOrderTimeline } from './operations/orders.timeline.ts'
import { createStandingOrder } from './operations/orders.standing.create.ts'
import { decideScene } from './operations/orders.standing.decide.ts'
import { deleteStandingOrder } from './operations/orders.standing.delete.ts'
import { listReadableStandingOrders } from './operations/orders.standing.list.ts'
import { listStandingOrderScenes } from './operations/orders.standing.scenes.list.ts'
import { changeStandingOrder } from './operations/orders.standing.update.ts'
import { listTaskingSensors } from './operations/orders.tasking.sensors.ts'
import { estimateTaskingOrder } from './operations/orders.tasking.estimate.ts'
import { listOpportunities } from './operations/orders.tasking.opportunities_list.ts'
import { checkFeasibility } from './operations/orders.tasking.feasibility_check.ts'
import { placeTasking } from './operations/orders.tasking.place.ts'
import { listFeasibilityStudies } from './operations/orders.tasking.feasibility_studies.list.ts'
import { decideFeasibility } from './operations/orders.tasking.feasibility_decide.ts'
import { listTaskingQuotations } from './operations/orders.tasking.quotations.list.ts'
import { decideTaskingQuotation } from './operations/orders.tasking.quotation_decide.ts'
import { listOpenTaskingDecisions } from './operations/orders.tasking.decisions.pending.ts'
import { listTaskGroups } from './operations/orders.tasking.groups.list.ts'
import { saveTemplate } from './operations/orders.tasking.templates.save.ts'
import { listTaskingTemplates } from './operations/orders.tasking.templates.list.ts'
import { getTemplate } from './operations/orders.tasking.templates.get.ts'
import { removeTemplate } from './operations/orders.tasking.templates.delete.ts'
import { updateOrder } from './operations/orders.update.ts'
import { placeOrderWithHost } from './place-with-host.task.ts'
import { runStandingOrderTask } from './standing/run.task.ts'
import { suspendStandingOrders } from './standing/suspend.task.ts'
import { dueStandingOrders, sweepStandingOrders } from './standing/sweep.task.ts'
import { expireDecisions } from './tasking/expire-decisions.task.ts'
import { requestStudy } from './tasking/request-study.task.ts'
import { stopOrder } from './stop.task.ts'
import { withdrawOrder } from './withdraw.task.ts'
import { dueDecisions, dueOrders, sweepOrders } from './sweep.task.ts'

export const orders: Module = {
  name: 'orders',
  handlers: [
    estimateArchiveOrder,
    quoteOrder,
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
    listTaskingSensors,
    estimateTaskingOrder,
    listOpportunities,
    checkFeasibility,
    placeTasking,
    listFeasibilityStudies,
    decideFeasibility,
    listTaskingQuotations,
    decideTaskingQuotation,
    listOpenTaskingDecisions,
    listTaskGroups,
    saveTemplate,
    listTaskingTemplates,
    getTemplate,
    removeTemplate,
  ],
  tasks: [
    placeOrderWithHost,
    fulfilOrder,
    stopOrder,
    requestStudy,
    expireDecisions,
    sweepOrders,
    runStandingOrderTask,
    withdrawOrder,
    suspendStandingOrders,
    sweepStandingOrders,
  ],
  dueWork: [dueDecisions, dueOrders, dueStandingOrders],
}
