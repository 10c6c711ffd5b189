"""The words a command shape may show. A list of what is allowed: anything else becomes ``_``.

Each list is one text with a blank on both sides of every word, so that loading it costs a hook nothing.
"""

from __future__ import annotations

PROGRAMS = (
    " 7z [ ack actionlint ag airflow alembic ansible ansible-playbook ant apk apply_patch apt apt-cache"
    " apt-get ar arp as atuin autoconf automake awk aws az b2sum base32 base64 basename bash bat bats bazel"
    " bc biome black brew buf bun bundle bundler bunx bzip2 cal cargo cat cd celery certbot chattr chgrp"
    " chmod chown chroot circleci clang clang-format clang-tidy clear clippy cloc cmake cmp codex column comm"
    " command composer conan conda coverage cp cpio cron crontab csc csplit ctags ctest curl cut cypress dart"
    " dash date dbt dd deno depmod df diff difft dig direnv dirname dmesg dnf docker docker-compose doctl"
    " dotnet dpkg du dune echo egrep elixir emacs env erb erl eslint esbuild eval exec exit expand expect"
    " export expr eza factor false fd fdfind ffmpeg ffprobe fg fgrep file find firebase fish fisql flake8"
    " flask flock fly flyctl flutter fmt fold free fzf g++ gawk gcc gcloud gdb gem gemini getconf getent gh"
    " git git-lfs gitleaks glab go gofmt golangci-lint gpg gradle gradlew grep groups grpcurl gunicorn gunzip"
    " gzip haml head helm heroku hexdump hg history host hostname htop htpasswd http https hugo hurl"
    " hyperfine iconv id ifconfig import-linter initdb install ip iptables isort java javac jekyll jest jobs"
    " join journalctl jq julia just k3s k6 k9s kill killall kind ksh kubectl kustomize launchctl ld ldd"
    " lefthook less lima limbeck lint-imports ln local locale locust logger ls lsattr lsb_release lsof ltrace"
    " lua m4 mage make man markdownlint md5sum meson minikube mise mix mkdir mkfifo mktemp mocha more mount"
    " mongosh mongo mv mvn mvnw mypy mysql mysqladmin mysqldump nano nc netstat newman next nginx nice ninja"
    " nix nl nm node nodemon nohup nomad nosetests npm npx nslookup nvm nx objdump od opam open openssl"
    " packer pandoc parallel paste patch pdm perf perl pg_ctl pg_dump pg_isready pg_restore pgrep php phpunit"
    " ping pip pip3 pip-compile pipenv pipx pixi pkg pkill playwright pm2 pnpm podman poetry popd pre-commit"
    " prettier printenv printf prisma protoc ps psql pstree pulumi pushd pwd py pyenv pylint pyright pytest"
    " python python2 python3 r rails rake rbenv read readelf readlink realpath redis-cli redis-server rename"
    " rg rm rmdir rollup route rspec rsync rubocop ruby ruff rustc rustfmt rustup sam sbt scala scp screen"
    " script sed semgrep seq serverless service set sh sha1sum sha256sum shellcheck shfmt shuf sleep snap"
    " sort source split sqlite3 ss ssh ssh-add ssh-keygen sshpass stack standard stat strace strings strip"
    " stylelint su sudo swift swiftc sync sysctl systemctl tail tar task taskset tee terraform terragrunt"
    " test time timeout tmux top touch tox tr trap tree true truncate tsc tsx turbo type ulimit umask uname"
    " unexpand uniq unlink unset unxz unzip uptime users uv uvicorn uvx vagrant valgrind valkey-cli vault"
    " venv vi vim virtualenv vite vitest vue wait watch watchexec wc webpack wget whatis whereis which whoami"
    " wrangler xargs xcodebuild xxd xz yamllint yarn yes yq zcat zig zip zsh zstd "
)

WRAPPERS = (
    " sudo doas env time timeout nohup nice ionice exec command builtin stdbuf setsid xargs watch parallel "
)

SHELLS = " sh bash zsh dash ksh fish eval "

KEYWORDS = " if then elif else fi while until do done ! { } ( ) coproc "
OPAQUE_KEYWORDS = " for case select function in esac "

WORDS = (
    " access account add agent all alias am amend analyze api app apply apps archive artifact assets attach"
    " audit auth autoremove back base bench benchmark bisect blame branch branches browser bucket build"
    " bundle bump bundler cache cancel cat cell check checkout cherry-pick ci clean cleanup clear client"
    " clippy clone cluster clusters code commit commits compare compile components compose compute config"
    " configmap configure console container containers context copy core count cover coverage cp create cron"
    " cronjobs current daemon-reload dashboard data database daemonset db debug delete dep dependencies"
    " deploy deployment deployments describe destroy detail dev develop diff dir disable dist doc docker docs"
    " doctor down download drop dump e2e edit enable endpoints engine enter env environment eval events exec"
    " explain export expose fetch file files fix flake fmt force format forward freeze frontend fsck function"
    " functions gc gen generate get graph group groups head health heads help history hook hooks http image"
    " images import index info ingress init inspect install instance instances integration issue issues job"
    " jobs kill label lambda lfs lint list local lock log logs ls main master merge metrics migrate migration"
    " migrations mod module modules monitor move mv namespace namespaces network new node nodes notes ns open"
    " origin outdated output package packages patch pip plan plugin pod pods pool port-forward pr preview"
    " print prod profile project projects prune publish pull push query quality queue quick rebase recall"
    " record redact refactor reference reflog refresh regenerate release releases reload remote remove rename"
    " repair replicaset replace repo report repos reset restart restore resume retry rev-list rev-parse"
    " revert review rm role rollback rollout route rules run s3 s3api scale scan schema script scripts search"
    " seed serve server service services settings setup shell shortlog show site smoke snapshot source"
    " sparse-checkout spec sql ssm staging start stash stat state static statefulset status stop storage"
    " storybook style submodule sub sum svc switch sync system table tables tag tags tail target task tasks"
    " template test tests tidy tool tools top trace train tree type typecheck types unit uninstall unlink"
    " unstage up update upgrade upload upstream use validate values vendor venv verify version vet view"
    " volume volumes wait watch web why workflow workspace workspaces worktree write "
)

STOPPERS = (
    " login authtoken token tokens password passwd set put secret secrets user-secrets key keys set-password"
    " add-user adduser passphrase credential credentials http-basic unlock decrypt encrypt sign "
)

FLAGS = (
    " -la -al -lah -lh -ltr -lt -rf -fr -rn -ri -rin -rl -rnw -in -it -ti -xzf -xvf -xf -czf -cf -tf -zxf"
    " -zxvf -xvzf -ef -aux -am -vv -vvv -qq -ss -sS -sL -fsSL -sSL -sSf -fsS -un -xe -ex -eu -euo -eux -euxo"
    " -lc -ic -nE -rE -oE -iE -hn -sn -nr -rnE -maxdepth -mindepth -name -iname -type -path -not -exec"
    " -execdir -print -delete -mtime -newer -size -perm -prune -auto-approve -run -race -count -bench -cover"
    " -coverprofile -short -timeout -tags -ldflags -version -help -jar -cp -classpath -out -var-file -target"
    " -refresh -input -lock -destroy -json -std -pthread -Wall -Wextra -Werror -fPIC -shared -static"
    " -NoProfile -Command -File -Path -Recurse -Force -Filter -ErrorAction "
)

EXTENSIONS = (
    " adoc asm astro avro bash bat bazel bicep bin c cc cfg cjs clj cljs cmake conf cpp cs css csv cu cxx d"
    " dart diff dll dockerfile edn ejs el elm env erb erl ex example exs fish fs fsx gif go gradle graphql gz"
    " h haml hbs hcl hpp hrl hs html hx ico iml ini ipynb jar java jinja jl jpeg jpg js json json5 jsonc"
    " jsonl jsx jsonnet kt kts less lhs liquid lock log lua m make map markdown md mdx mjs ml mli mm mod mts"
    " nim nix org out parquet patch pb pcap pdf php pl plist pm png po prisma pro properties proto ps1 psd1"
    " psm1 pug py pyc pyi pyx r rake rb rkt rmd rs rst rules sass sbt scala scm scss sh snap so sol sql"
    " sqlite styl sum svelte svg swift tar tcl tex tf tfstate tfvars tgz tmpl toml tpl ts tsv tsx txt vb vim"
    " vue wasm webp whl xhtml xml xsl xz yaml yml zig zip zsh zst "
)


def listed(word: str, words: str) -> bool:
    """Whether ``word``, which has no blank in it, is one of ``words``."""
    return f" {word} " in words and " " not in word
