import Type from 'typebox'
import { operation } from '../operation.ts'
import { PageEnvelope, pageNumberPaging } from '../paging.ts'
import { Budget } from '../schemas/clients/budget.ts'
import {
  Count,
  EmptyInput,
  OptionalNullable,
  StrictObject,
  Uuid,
  WithDefault,
  WithDescription,
} from '../schemas/primitives.ts'

const BudgetId = WithDescription('The id of a member or of a project.', Uuid)

const includeUsage = WithDefault(Type.Boolean({ description: 'With the credits that are held or charged.' }), false)

export const billingBudgetsListOperation = operation({
  id: 'billing.budgets.list',
  scope: 'billing:read',
  effect: 'read',
  summary: 'List the budgets that the caller can see: the spend limits of members, and their projects.',
  input: StrictObject({
    status: OptionalNullable(
      Type.String({ maxLength: 100, description: '`ACTIVE`, `INACTIVE` or both, comma-separated.' }),
    ),
    includeUsage,
    ...pageNumberPaging(),
    sort: WithDefault(
      Type.String({ pattern: '^updatedAt,(asc|desc)$', description: 'Field and direction.' }),
      'updatedAt,desc',
    ),
  }),
  output: PageEnvelope(Budget),
  paging: 'page',
  extension: true,
})

export const billingBudgetsGetOperation = operation({
  id: 'billing.budgets.get',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read the budget of a member or of a project.',
  input: StrictObject({ budget_id: BudgetId, includeUsage }),
  output: Budget,
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const billingBudgetsUsageOperation = operation({
  id: 'billing.budgets.usage',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read the credits that are held for, or were charged to, a member or a project.',
  input: StrictObject({ budget_id: BudgetId }),
  output: Type.Object({ budgetId: Uuid, consumedCredits: Count }),
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const billingBudgetsSettingsOperation = operation({
  id: 'billing.budgets.settings',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read whether the limits of budgets are enforced.',
  input: EmptyInput,
  output: Type.Object({
    enforcementEnabled: Type.Boolean({ description: 'Always true: what exceeds a limit is refused.' }),
    budgetSettingId: WithDescription('The organization.', Uuid),
  }),
  extension: true,
})
