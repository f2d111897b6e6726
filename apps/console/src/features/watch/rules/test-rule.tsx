import { useState } from 'react'
import type { AlertRule, Item } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { alertsTexts } from '../../../texts/alerts.ts'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { describeMeasured, formatMeasure } from './rule-text.ts'
import typography from '../../../ui/typography.module.css'

const words = alertsTexts.test
const limit = 50
/** Only these have pixels. */
const hasPixels = ({ type }: Item): boolean => !type.endsWith('vector')

/** The value of one item, and whether it would fire. */
export function TestRule({ rule }: { rule: AlertRule }) {
  const [itemId, setItemId] = useState('')
  const items = useOperation('items.search_org', {
    limit,
    ...(rule.collection_id === null ? {} : { collections: [rule.collection_id] }),
  })
  const input = { rule_id: rule.id, item_id: itemId }
  return (
    <Section title={words.title} actions={itemId !== '' && <CopyCall operation="alerts.test_rule" input={input} />}>
      <QueryView query={items} rows={1}>
        {({ features }) =>
          features.length === 0 ? (
            <p className={typography['muted']}>{words.noItems}</p>
          ) : (
            <SelectField
              label={words.item}
              value={itemId}
              choices={[
                { value: '', label: words.choose },
                ...features.flatMap((item) =>
                  'name' in item && hasPixels(item)
                    ? [
                        {
                          value: item.id,
                          label: item.datetime ? `${item.name} · ${formatDate(item.datetime)}` : item.name,
                        },
                      ]
                    : [],
                ),
              ]}
              onChange={setItemId}
            />
          )
        }
      </QueryView>
      {itemId !== '' && <TestResult rule={rule} itemId={itemId} />}
    </Section>
  )
}

function TestResult({ rule, itemId }: { rule: AlertRule; itemId: string }) {
  const test = useOperation('alerts.test_rule', { rule_id: rule.id, item_id: itemId })
  if (test.isError) return <ProblemNote error={test.error} onRetry={() => void test.refetch()} isRead />
  if (!test.data) return <Skeleton rows={1} height_px={20} />
  const say = test.data.would_trigger ? words.fires : words.quiet
  return <p role="status">{say(describeMeasured(rule), formatMeasure(test.data.computed_value))}</p>
}
