import type { OperationId } from '@swath/client/operations.ts'

/** Reads whose outputs a change of a rule changes. */
export const ruleReads: readonly OperationId[] = ['alerts.rule.get', 'alerts.rules.list']
