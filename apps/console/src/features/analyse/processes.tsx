import { Link } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import type { OutputOf, Process } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { analyseTexts } from '../../texts/analyse.ts'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatCredits } from '../../ui/format.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { AnalyseScreen } from './analyse-screen.tsx'
import styles from './analyse.module.css'
import { SourceSection } from './sources/source-section.tsx'
import { useSources } from './sources/use-sources.ts'
import type { AnalyseChoices } from './state/analyse-url.ts'
import { searchFor, useAnalyseUrl } from './state/use-analyse-url.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = analyseTexts

/** The computations on items: processes, which write new items, and measurements, which return numbers. */
export function Processes() {
  const { choices, change } = useAnalyseUrl()
  const sources = useSources(choices.items)
  const processes = useOperation('processing.catalog.list', {})
  const methods = useOperation('analytics.operations.list', {})
  return (
    <AnalyseScreen actions={<CopyCall operation="processing.catalog.list" input={{}} />}>
      <SourceSection ids={choices.items} sources={sources} onChange={(items) => change({ items })} />
      <QueryView query={processes} title={words.processes} rows={6}>
        {({ processes: known }) =>
          known.length === 0 ? (
            <EmptyState icon={FlaskConical} title={words.noProcesses}>
              <p>{words.noProcessesHelp}</p>
            </EmptyState>
          ) : (
            <ProcessList processes={known} choices={choices} />
          )
        }
      </QueryView>
      <QueryView query={methods} title={words.methods} rows={3}>
        {({ operations }) => (operations.length === 0 ? null : <MethodList methods={operations} choices={choices} />)}
      </QueryView>
    </AnalyseScreen>
  )
}

/** Inputs of one process mean nothing to another. */
const withoutValues = (choices: AnalyseChoices): AnalyseChoices => ({ ...choices, values: {} })

function ProcessList({ processes, choices }: { processes: readonly Process[]; choices: AnalyseChoices }) {
  return (
    <Section title={words.processes}>
      <p className={typography['note']}>{words.processesHelp}</p>
      {[...Map.groupBy(processes, ({ category }) => category)].map(([category, group]) => (
        <div key={category} className={`${layout['stack4']} ${styles['group']}`}>
          <h3>{words.categories[category] ?? category}</h3>
          <ul className={`${layout['box']} ${styles['offers']}`}>
            {group.map(({ id, title, description, pricing }) => (
              <li key={id}>
                <Link
                  className={`${layout['sides']} ${layout['raised']} ${layout['choice']} ${typography['plain']}`}
                  to="/analyse/run/$processId"
                  params={{ processId: id }}
                  search={searchFor(withoutValues(choices)) as never}
                >
                  <strong>{title}</strong>
                  <span className={`figures ${typography['note']}`}>
                    {words.rate(formatCredits(pricing.credits), words.units[pricing.unit] ?? pricing.unit)}
                  </span>
                  <small className={layout['across']}>{description}</small>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Section>
  )
}

type Methods = OutputOf<'analytics.operations.list'>['operations']

function MethodList({ methods, choices }: { methods: Methods; choices: AnalyseChoices }) {
  return (
    <Section title={words.methods} actions={<CopyCall operation="analytics.operations.list" input={{}} />}>
      <p className={typography['note']}>{words.methodsHelp}</p>
      <ul className={`${layout['box']} ${styles['offers']}`}>
        {methods.map(({ name, title, description }) => (
          <li key={name}>
            <Link
              className={`${layout['sides']} ${layout['raised']} ${layout['choice']} ${typography['plain']}`}
              to="/analyse/measure/$methodName"
              params={{ methodName: name }}
              search={searchFor(withoutValues(choices)) as never}
            >
              <strong>{title}</strong>
              <small className={layout['across']}>{description}</small>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
