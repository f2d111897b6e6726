import { FileQuestion, MessageSquareQuote, Tag, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { taskingTexts } from '../../texts/tasking.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { formatArea, formatCredits } from '../../ui/format.ts'
import { Section } from '../../ui/screen.tsx'
import type { TaskableProduct, ProductTerms } from './tasking-products.ts'
import styles from './tasking.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = taskingTexts

const workflowIcons: Readonly<Record<ProductTerms['workflow'], LucideIcon>> = {
  direct: Tag,
  study: FileQuestion,
  quotation: MessageSquareQuote,
}

export interface ProductChoiceProps {
  readonly products: readonly TaskableProduct[]
  readonly chosen: TaskableProduct | null
  readonly onChoose: (id: string) => void
}

/** The products that can be acquired; once one is chosen, the others are hidden. */
export function ProductChoice({ products, chosen, onChoose }: ProductChoiceProps) {
  const [isChanging, setChanging] = useState(false)
  const isOpen = chosen === null || isChanging
  const choose = (id: string): void => {
    setChanging(false)
    onChoose(id)
  }
  return (
    <Section
      title={isOpen ? words.products : words.product}
      actions={!isOpen && <Button kind="quiet" onClick={() => setChanging(true)}>{words.change}</Button>} // prettier-ignore
    >
      {isOpen ? (
        <ul className={`${layout['stack8']} ${styles['products']}`}>
          {products.map((product) => (
            <li key={product.id}>
              <button
                type="button"
                className={`${layout['boxed']} ${layout['wide']} ${layout['raised']} ${layout['choice']}`}
                aria-pressed={product.id === chosen?.id}
                onClick={() => choose(product.id)}
              >
                <ProductSummary product={product} />
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <div className={layout['stack4']}>
          <ProductSummary product={chosen} />
          <p className={typography['muted']}>{words.workflows[chosen.workflow].help}</p>
        </div>
      )}
    </Section>
  )
}

function ProductSummary({ product }: { product: TaskableProduct }) {
  const { title, sensors, workflow, rate_credits, minimum_km2 } = product
  const rate = rate_credits === null ? words.onRequest : words.rate(formatCredits(rate_credits))
  return (
    <span className={layout['stack2']}>
      <strong>{title}</strong>
      <small>{sensors.map((sensor) => sensor.title).join(', ')}</small>
      <span className="figures">
        <b>{rate}</b>
        {rate_credits !== null && <small>, {words.minimum(formatArea(minimum_km2))}</small>}
      </span>
      <Badge icon={workflowIcons[workflow]} tone="neutral">
        {words.workflows[workflow].name}
      </Badge>
    </span>
  )
}
