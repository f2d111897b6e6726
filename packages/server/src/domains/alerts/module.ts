import type { Module } from '../../engine/task.ts'
import { evaluateAlerts } from './evaluate.task.ts'
import { acknowledgeAlertEvent } from './operations/alerts.acknowledge_event.ts'
import { backtestAlertRule } from './operations/alerts.backtest_rule.ts'
import { createAlertRule } from './operations/alerts.create_rule.ts'
import { deleteAlertRule } from './operations/alerts.delete_rule.ts'
import { listOrganizationAlertEvents } from './operations/alerts.events.list.ts'
import { getAlertRule } from './operations/alerts.rule.get.ts'
import { listAlertRules } from './operations/alerts.rules.list.ts'
import { testAlertRule } from './operations/alerts.test_rule.ts'
import { updateAlertRule } from './operations/alerts.update_rule.ts'

export const alerts: Module = {
  name: 'alerts',
  handlers: [
    createAlertRule,
    updateAlertRule,
    deleteAlertRule,
    getAlertRule,
    listAlertRules,
    testAlertRule,
    backtestAlertRule,
    listOrganizationAlertEvents,
    acknowledgeAlertEvent,
  ],
  tasks: [evaluateAlerts],
}
