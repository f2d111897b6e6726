import { Package } from 'lucide-react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { adminTexts } from '../../texts/admin.ts'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/figures.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { AdminScreen } from './admin-screen.tsx'
import { ProductVersionForm } from './product-version-form.tsx'
import { VersionRow } from './version-row.tsx'
import layout from '../../ui/layout.module.css'

type DataProduct = OutputOf<'admin.data_products.list'>['data_products'][number]
type ProductVersion = OutputOf<'admin.data_products.versions.list'>['versions'][number]

const { productVersions: words, versions: versionWords } = adminTexts
const input = { limit: 100 }
const affected = ['admin.data_products.list', 'admin.data_products.versions.list'] as const

/** Terms of data products: operators add versions, and another one decides on those of price and licence. */
export function DataProducts() {
  const products = useOperation('admin.data_products.list', input)
  return (
    <AdminScreen actions={<CopyCall operation="admin.data_products.list" input={input} />}>
      <QueryView query={products} rows={4}>
        {({ data_products }) =>
          data_products.length === 0 ? (
            <EmptyState icon={Package} title={words.none}>
              <p>{words.noneHelp}</p>
            </EmptyState>
          ) : (
            <>
              {data_products.map((product) => (
                <ProductRow key={product.id} product={product} />
              ))}
              <VersionHistory />
              <ProductVersionForm products={data_products} />
            </>
          )
        }
      </QueryView>
    </AdminScreen>
  )
}

const toAvailability = (isAvailable: boolean): string => (isAvailable ? words.offered : words.withdrawn)

function ProductRow({ product: { title, name, version, terms, next_effective_from } }: { product: DataProduct }) {
  const { is_available, minimum_km2, licences, eula_id, params } = terms
  return (
    <article className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`}>
      <header className={layout['spread']}>
        <strong>{title}</strong>
        <span>{name}</span>
      </header>
      <Facts
        facts={[
          [words.version, words.versionOf(version)],
          [words.availability, toAvailability(is_available)],
          ...(minimum_km2 === null ? [] : [[versionWords.minimum, versionWords.minimumOf(minimum_km2)] as const]),
          [words.licences, licences.join(', ')],
          [words.agreement, eula_id ?? words.noAgreement],
          ...(Object.keys(params).length === 0 ? [] : [[words.params, JSON.stringify(params)] as const]),
          ...(next_effective_from === null
            ? []
            : [[words.next, <Time key="next" at={next_effective_from} />] as const]),
        ]}
      />
    </article>
  )
}

function VersionHistory() {
  const versions = useOperation('admin.data_products.versions.list', input)
  return (
    <Section title={words.history}>
      <QueryView query={versions} rows={2}>
        {({ versions: known }) =>
          known.length === 0 ? (
            <p>{words.noVersions}</p>
          ) : (
            known.map((version) => <ProductVersionRow key={version.id} version={version} />)
          )
        }
      </QueryView>
    </Section>
  )
}

const ProductVersionRow = ({ version }: { version: ProductVersion }) => (
  <VersionRow
    subject={versionWords.nameOf(version.data_product_name, version.version)}
    version={version}
    facts={listChanges(version)}
    input={{ version_id: version.id }}
    affected={affected}
    approve="admin.data_products.versions.approve"
    reject="admin.data_products.versions.reject"
    decisionTexts={words}
  />
)

/** Lists the changes of a version; fields without a change stay as they are. */
function listChanges({ changes }: ProductVersion): (readonly [string, string])[] {
  const { is_available, minimum_km2, licences, eula_id, params } = changes
  return [
    ...(typeof is_available === 'boolean' ? [[words.availability, toAvailability(is_available)] as const] : []),
    ...(minimum_km2 === undefined ? [] : [[versionWords.minimum, versionWords.minimumOf(minimum_km2)] as const]),
    ...(licences === undefined ? [] : [[words.licences, licences?.join(', ') ?? words.ofHost] as const]),
    ...(eula_id === undefined ? [] : [[words.agreement, eula_id ?? words.ofHost] as const]),
    ...(params === undefined ? [] : [[words.params, JSON.stringify(params ?? {})] as const]),
  ]
}
