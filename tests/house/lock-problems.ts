import { satisfies } from 'semver'

interface LockEntry {
  readonly version?: string
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly engines?: Readonly<Record<string, string>>
}

/** The part of a package-lock.json (version 2 or 3) that is checked. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Entries with an address in them: they tie the lock to one registry. */
export function entriesWithAddress(lock: Lock): readonly string[] {
  return Object.keys(lock.packages).filter((path) => lock.packages[path]?.resolved !== undefined)
}

/** Optional packages that are named but missing from the lock: `npm ci` would fail on the platform that needs them. */
export function missingOptionalPackages(lock: Lock): readonly string[] {
  return Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name, range]) => !satisfies(versionSeenFrom(lock, path, name) ?? '', withoutAlias(range)))
      .map(([name, range]) => `${name}@${range}, named by ${path}`),
  )
}

/** The range of `npm:other-name@range`. */
function withoutAlias(range: string): string {
  return range.replace(/^npm:.+@/, '')
}

/** Direct dependencies whose version is a range. One that is installed in two versions has an alias. */
export function inexactVersions(manifest: Manifest): readonly string[] {
  return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter(([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name}@${version}`)
}

/** Dependencies of the product (dev dependencies do not count) that refuse this version of Node. */
export function dependenciesThatRefuse(nodeVersion: string, manifest: Manifest, lock: Lock): readonly string[] {
  return Object.keys(manifest.dependencies ?? {}).flatMap((name) => {
    const accepted = lock.packages[`node_modules/${name}`]?.engines?.node ?? '*'
    return satisfies(nodeVersion, accepted) ? [] : [`${name} needs Node ${accepted}`]
  })
}

/** The version that Node would find for the package at `path`: in its own node_modules, or in one further up. */
function versionSeenFrom(lock: Lock, path: string, name: string): string | undefined {
  const parts = path.split('/node_modules/')
  const foldersUp = parts.map((_, index) => `${parts.slice(0, parts.length - index).join('/node_modules/')}/`)
  const found = [...foldersUp, ''].find((folder) => Object.hasOwn(lock.packages, `${folder}node_modules/${name}`))
  return found === undefined ? undefined : lock.packages[`${found}node_modules/${name}`]?.version
}
