import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { AlertRule } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { alertsTexts } from '../../../texts/alerts.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Time } from '../../../ui/figures.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Screen, Section } from '../../../ui/screen.tsx'
import { AlertList } from '../alerts/alert-list.tsx'
import { DeleteButton } from '../delete-button.tsx'
import styles from '../watch.module.css'
import { Backtest } from './backtest.tsx'
import { EditRule } from './edit-rule.tsx'
import { RuleAreas } from './rule-areas.tsx'
import { RuleBadge } from './rule-badge.tsx'
import { ruleReads } from './rule-reads.ts'
import { describeRule, formatMeasure } from './rule-text.ts'
import { TestRule } from './test-rule.tsx'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { formatArea } from '../../../ui/format.ts'

/** The scope of a rule in words: the project, the collection and the size of the area. */
function useRulePlace({ project_id, collection_id, aoi }: AlertRule): string {
  const projects = useOperation('projects.list', {}, { enabled: project_id !== null })
  const collections = useOperation('collections.list', { project_id: project_id! }, { enabled: project_id !== null && collection_id !== null }) // prettier-ignore
  const project = project_id === null ? alertsTexts.facts.everywhere : projects.data?.projects.find(({ id }) => id === project_id)?.name // prettier-ignore
  const collection = collections.data?.collections.find(({ id }) => id === collection_id)?.name
  const area = aoi && formatArea(geometryArea_km2(aoi as unknown as AreaGeometry))
  return [project, collection, area].filter(Boolean).join(' · ')
}

const words = alertsTexts

/** One rule: its definition, its backtest and its alerts. */
export function RuleDetail() {
  const { ruleId } = useParams({ strict: false }) as { ruleId: string }
  const input = { rule_id: ruleId }
  const rule = useOperation('alerts.rule.get', input)
  const [isEditing, setEditing] = useState(false)
  return (
    <Screen
      title={rule.data?.alert_rule.name ?? words.rule}
      {...(isEditing ? { onBack: () => setEditing(false) } : { back: { to: '/watch/rules', search: keepView } })}
      actions={<CopyCall operation="alerts.rule.get" input={input} />}
    >
      <QueryView query={rule} rows={6}>
        {({ alert_rule: known }) =>
          isEditing ? (
            <EditRule rule={known} onDone={() => setEditing(false)} />
          ) : (
            <>
              <Overview rule={known} onEdit={() => setEditing(true)} />
              <Backtest key={known.updated_at} rule={known} />
              <TestRule rule={known} />
              <Section title={words.ofRule}>
                <div className={styles['ofRule']}>
                  <AlertList
                    query={{ rule_id: known.id }}
                    empty={<p className={typography['muted']}>{words.noneOfRule}</p>}
                  />
                </div>
              </Section>
              <RuleAreas rules={[known]} />
            </>
          )
        }
      </QueryView>
    </Screen>
  )
}

function Overview({ rule, onEdit }: { rule: AlertRule; onEdit: () => void }) {
  const { description, hysteresis, cooldown_minutes, notification_channels, last_triggered_at, created_at } = rule
  const place = useRulePlace(rule)
  const { facts, form } = words
  const channels = notification_channels.map((channel) => form.channels[channel]).join(', ')
  return (
    <Section title={describeRule(rule)} actions={<RuleBadge rule={rule} />}>
      <Facts
        facts={[
          [facts.description, description],
          [facts.place, place],
          [facts.hysteresis, hysteresis === null ? null : formatMeasure(hysteresis)],
          [facts.cooldown, cooldown_minutes > 0 && facts.minutes(cooldown_minutes)],
          [facts.channels, channels || facts.noChannels],
          [words.lastTriggered, last_triggered_at ? <Time key="last" at={last_triggered_at} /> : words.never],
          [facts.created, <Time key="created" at={created_at} />],
        ]}
      />
      <RuleActions rule={rule} onEdit={onEdit} />
    </Section>
  )
}

function RuleActions({ rule: { id, name, active }, onEdit }: { rule: AlertRule; onEdit: () => void }) {
  const navigate = useNavigate()
  const update = useCommand('alerts.update_rule', ruleReads)
  const remove = useCommand('alerts.delete_rule', ['alerts.rules.list'])
  const input = { rule_id: id }
  const leave = (): void => void navigate({ to: '/watch/rules', search: keepView })
  return (
    <>
      <div className={layout['wrap']}>
        <Button onClick={onEdit}>{words.edit}</Button>
        <Button isPending={update.isPending} onClick={() => update.mutate({ ...input, active: !active })}>
          {active ? words.pause : words.resume}
        </Button>
        <DeleteButton
          name={name}
          title={words.remove}
          text={words.removeText}
          call={['alerts.delete_rule', input]}
          command={remove}
          onSuccess={leave}
        />
      </div>
      {update.isError && <ProblemNote error={update.error} />}
    </>
  )
}
