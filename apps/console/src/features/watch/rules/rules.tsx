import { Link } from '@tanstack/react-router'
import { BellRing, Plus } from 'lucide-react'
import type { AlertRule } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { alertsTexts } from '../../../texts/alerts.ts'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Time } from '../../../ui/figures.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { WatchScreen } from '../watch-screen.tsx'
import styles from '../watch.module.css'
import { RuleAreas } from './rule-areas.tsx'
import { RuleBadge } from './rule-badge.tsx'
import { describeRule } from './rule-text.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'
import button from '../../../ui/button.module.css'

const words = alertsTexts

/** The alert rules of the organization, and their areas on the map. */
export function Rules() {
  const rules = useOperation('alerts.rules.list', {})
  return (
    <WatchScreen actions={<CopyCall operation="alerts.rules.list" input={{}} />}>
      <QueryView query={rules} rows={4}>
        {({ alert_rules }) =>
          alert_rules.length === 0 ? (
            <EmptyState icon={BellRing} title={words.noRules}>
              <p>{words.noRulesHelp}</p>
              <NewRuleLink />
            </EmptyState>
          ) : (
            <>
              <div className={layout['inset']}>
                <NewRuleLink />
              </div>
              <ul className={styles['rules']}>
                {alert_rules.map((rule) => (
                  <li key={rule.id} data-rule={rule.id}>
                    <RuleLink rule={rule} />
                  </li>
                ))}
              </ul>
              <RuleAreas rules={alert_rules} />
            </>
          )
        }
      </QueryView>
    </WatchScreen>
  )
}

const NewRuleLink = () => (
  <Link to="/watch/rules/new" search={keepView} className={`${button['button']} ${button['primary']}`}>
    <Plus size={16} aria-hidden />
    {words.newRule}
  </Link>
)

function RuleLink({ rule }: { rule: AlertRule }) {
  const { id, name, last_triggered_at } = rule
  return (
    <Link
      className={`${layout['inset']} ${layout['lineBelow']} ${typography['plain']} ${layout['sides']}`}
      to="/watch/rules/$ruleId"
      params={{ ruleId: id }}
      search={keepView}
    >
      <strong className={typography['anywhere']}>{name}</strong>
      <RuleBadge rule={rule} />
      <span>{describeRule(rule)}</span>
      <small>
        {words.lastTriggered}: {last_triggered_at ? <Time at={last_triggered_at} /> : words.never}
      </small>
    </Link>
  )
}
