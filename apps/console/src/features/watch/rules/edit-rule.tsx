import type { AlertRule } from '@swath/client/operations.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { alertsTexts } from '../../../texts/alerts.ts'
import { uiTexts } from '../../../texts/ui.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { toDraft, toRuleInput, type RuleDraft } from './rule-draft.ts'
import { RuleForm } from './rule-form.tsx'
import { ruleReads } from './rule-reads.ts'

const words = alertsTexts

/** The form of an existing rule. */
export function EditRule({ rule, onDone }: { rule: AlertRule; onDone: () => void }) {
  const update = useCommand('alerts.update_rule', ruleReads)
  const toInput = (draft: RuleDraft) => {
    const input = toRuleInput(draft)
    return input && { ...input, rule_id: rule.id }
  }
  const submit = (draft: RuleDraft): void => {
    const input = toInput(draft)
    if (input) update.mutate(input, { onSuccess: onDone })
  }
  return (
    <RuleForm initial={toDraft(rule)} isNew={false} onSubmit={submit}>
      {(draft) => {
        const input = toInput(draft)
        return (
          <>
            <Button type="submit" kind="primary" disabled={!input} isPending={update.isPending}>
              {words.form.save}
            </Button>
            <Button onClick={onDone}>{uiTexts.cancel}</Button>
            {input && <CopyCall operation="alerts.update_rule" input={input} />}
            {update.isError && <ProblemNote error={update.error} />}
          </>
        )
      }}
    </RuleForm>
  )
}
