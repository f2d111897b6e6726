import { useState } from 'react'
import { texts } from '../../../texts.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Section } from '../../../ui/screen.tsx'
import { Segments } from '../../../ui/segments.tsx'
import styles from '../build.module.css'
import { languages, writeSample, type Language } from './samples.ts'

const names = texts.build.languages

/** The call as a program that can be copied. */
export function CallSamples({ operation, input }: { operation: string; input: object }) {
  const [language, setLanguage] = useState<Language>('curl')
  const sample = writeSample(language, location.origin, operation, input)
  return (
    <Section title={texts.build.sample} actions={<CopyButton label={texts.build.copySample} text={sample} />}>
      <Segments
        label={texts.build.sample}
        choices={languages.map((value) => ({ value, label: names[value] }))}
        value={language}
        onChange={setLanguage}
      />
      <pre className={styles['answer']} data-sample tabIndex={0} aria-label={names[language]}>
        {sample}
      </pre>
      <p className={styles['muted']}>{texts.build.sampleToken}</p>
    </Section>
  )
}
