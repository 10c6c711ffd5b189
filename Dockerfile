# One image for `limbeck migrate`, `worker`, `schedule` and `serve`. Everything that is installed is pinned with hashes by
# requirements.lock; what builds stays behind in the first stage.
FROM python:3.11.14-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /source
COPY requirements.lock deploy/part_of_lock.py ./
RUN python part_of_lock.py requirements.lock hatchling > build.lock \
 && python part_of_lock.py requirements.lock limbeck > run.lock \
 && python -m venv /opt/build \
 && /opt/build/bin/pip install --require-hashes --only-binary :all: -r build.lock \
 && python -m venv /opt/limbeck \
 && /opt/limbeck/bin/pip install --require-hashes --only-binary :all: -r run.lock
COPY . .
RUN /opt/build/bin/hatchling build -t wheel -d /wheels \
 && /opt/limbeck/bin/pip install --no-index --no-deps /wheels/*.whl \
 && /opt/limbeck/bin/pip uninstall --yes pip setuptools

FROM python:3.11.14-slim-bookworm
COPY --from=build /opt/limbeck /opt/limbeck
# Open to any account, as /tmp is: compose.yaml runs the image as whoever made the secrets. The home inside is 0700.
RUN mkdir -m 1777 /var/lib/limbeck
ENV PATH=/opt/limbeck/bin:/usr/local/bin:/usr/bin:/bin \
    LIMBECK_HOME=/var/lib/limbeck/home \
    OPENBLAS_NUM_THREADS=1 \
    OMP_NUM_THREADS=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
USER 10001:10001
ENTRYPOINT ["limbeck"]
CMD ["--help"]
