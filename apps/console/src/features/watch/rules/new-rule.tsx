import { useNavigate } from '@tanstack/react-router'
import { useCommand } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { alertsTexts } from '../../../texts/alerts.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Screen } from '../../../ui/screen.tsx'
import { newDraft, toRuleInput, type RuleDraft } from './rule-draft.ts'
import { RuleForm } from './rule-form.tsx'

const words = alertsTexts

const toInput = (draft: RuleDraft) => {
  const input = toRuleInput(draft)
  return input && { ...input, project_id: draft.projectId || null }
}

/** A rule is written here; its page then offers to try it. */
export function NewRule() {
  const navigate = useNavigate()
  const create = useCommand('alerts.create_rule', ['alerts.rules.list'])
  const submit = (draft: RuleDraft): void => {
    const input = toInput(draft)
    if (!input) return
    create.mutate(input, {
      onSuccess: ({ alert_rule }) =>
        void navigate({ to: '/watch/rules/$ruleId', params: { ruleId: alert_rule.id }, search: keepView }),
    })
  }
  return (
    <Screen title={words.newRule} back={{ to: '/watch/rules', search: keepView }}>
      <RuleForm initial={newDraft} isNew onSubmit={submit}>
        {(draft) => {
          const input = toInput(draft)
          return (
            <>
              <Button type="submit" kind="primary" disabled={!input} isPending={create.isPending}>
                {words.form.create}
              </Button>
              {input && <CopyCall operation="alerts.create_rule" input={input} />}
              {create.isError && <ProblemNote error={create.error} />}
            </>
          )
        }}
      </RuleForm>
    </Screen>
  )
}
