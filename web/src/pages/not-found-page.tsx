import { hrefOf } from '../router/route.ts'

/** An address that names nothing. */
export function NotFoundPage() {
  return (
    <div class="page">
      <h1>There is no such page</h1>
      <p>
        <a class="link" href={hrefOf({ page: 'live' })}>
          Go to what runs now
        </a>
      </p>
    </div>
  )
}
